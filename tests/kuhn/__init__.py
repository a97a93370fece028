"""Kuhn poker for three, written like a game of ours: small, and full of secrets.

It is here to try the laws, not to be played. Four cards, three seats. Everybody puts in a chip and
is dealt a card; in turn they pass or bet one more; once somebody has bet, the others fold or call,
once each. The highest card among those who did not fold takes the pot.

What a player may know: the own card; every chip, bet and fold; at a showdown the cards of those who
did not fold, or of all where the table says so. If all others fold, the winner shows nothing. The
card that is not dealt is never seen, so it has no identity.
"""
