"""Small wrong changes to a module of rules, each of which a rule test should notice.

A mutant is one change of the text, so that it can be shown as a line before and after. Changes
that fail wherever they are reached prove nothing of a test and are left out: to remove the first
value of a local name, or an attribute that a state is made with. A longer list holds the same
values, so of its length only one less is tried. To swap two branches is to negate the condition.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

MODULE = "(module)"  # where tables stand
COMPARISONS: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
}
ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "//"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "|"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}
SIGNS: dict[type[ast.unaryop], str] = {ast.Not: "not", ast.USub: "-", ast.Invert: "~"}
Edit = tuple[int, int, str]  # from where to where, and what stands there instead


@dataclass(frozen=True)
class Mutant:
    """One wrong change."""

    function: str
    line: int
    was: str
    becomes: str
    number: int  # among those of a function that read the same
    reached: tuple[int, int]  # a test that runs none of these lines cannot notice
    edit: Edit

    @property
    def id(self) -> str:
        """A name that stays the same when lines above are added."""
        number = f" #{self.number}" if self.number else ""
        return f"{self.function}: {self.was} => {self.becomes}{number}"


def mutants(source: str) -> list[Mutant]:
    """Return every mutant of a module's functions and tables, in the order of the text."""
    text = Text(source)
    found: list[Mutant] = []
    count: dict[tuple[str, str, str], int] = {}
    for name, node in parts(ast.parse(source)):
        for edit, reached in sorted(set(Part(text, node).edits())):
            line, was, becomes = text.as_lines(edit)
            number = count.get((name, was, becomes), 0)
            count[name, was, becomes] = number + 1
            found.append(Mutant(name, line, was, becomes, number, reached, edit))
    return found


def parts(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Yield the functions of a module, those of its classes, and its tables of literals."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, ast.FunctionDef):
                    yield member.name, member
        elif isinstance(node, ast.Assign) and not isinstance(node.value, ast.Attribute):
            yield MODULE, node


def places(source: str) -> dict[str, tuple[str, int, int]]:
    """Return of each function the class it belongs to, if any, its first line and its last."""
    found: dict[str, tuple[str, int, int]] = {}
    for node in ast.parse(source).body:
        owner = node.name if isinstance(node, ast.ClassDef) else ""
        for part in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(part, ast.FunctionDef):
                found[part.name] = (owner, part.lineno, part.end_lineno or part.lineno)
    return found


class Text:
    """A source by offsets. The syntax tree counts bytes, so this does as well."""

    def __init__(self, source: str) -> None:
        self.bytes = source.encode()
        self.starts = [0]
        for line in self.bytes.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Return where a node begins and ends."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        begin = self.starts[node.lineno - 1] + node.col_offset
        return begin, self.starts[node.end_lineno - 1] + node.end_col_offset

    def between(self, begin: int, end: int) -> str:
        """Return what stands there."""
        return self.bytes[begin:end].decode()

    def with_edit(self, edit: Edit, first: int, last: int) -> str:
        """Return some lines of the source, changed."""
        begin, end, new = edit
        before = self.between(self.starts[first - 1], begin)
        return before + new + self.between(end, self.starts[last])

    def line_with(self, edit: Edit) -> str:
        """Return the one line that is changed."""
        line = self.as_lines(edit)[0]
        return self.with_edit(edit, line, line)

    def as_lines(self, edit: Edit) -> tuple[int, str, str]:
        """Return the line of a change, and how it reads before and after."""
        begin, end, new = edit
        line = next(n for n, start in enumerate(self.starts) if start > begin)
        start = self.starts[line - 1]
        after = next(start for start in [*self.starts, len(self.bytes)] if start >= end)
        was = self.between(start, after)
        becomes = self.between(start, begin) + new + self.between(end, after)
        return line, plain(was), plain(becomes)


class Part:
    """The mutants of one function, or of one table."""

    def __init__(self, text: Text, node: ast.stmt) -> None:
        self.text = text
        self.node = node
        self.returns = ""
        if isinstance(node, ast.FunctionDef) and isinstance(node.returns, ast.Name):
            self.returns = node.returns.id
        self.bound: set[str] = set()  # local names that have a value by now

    def edits(self) -> Iterator[tuple[Edit, tuple[int, int]]]:
        """Yield every change with the lines that must be run for it to matter."""
        if not isinstance(self.node, ast.FunctionDef):
            yield from self.statement(self.node)
            return
        first = self.node.body[0].lineno
        last = self.node.end_lineno or first
        for default in self.node.args.defaults:
            for edit in self.expression(default):
                yield edit, (first, last)
        for statement in self.node.body:
            yield from self.statement(statement)

    def statement(self, node: ast.stmt) -> Iterator[tuple[Edit, tuple[int, int]]]:
        """Yield the changes of a statement and of those inside it."""
        inner = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.stmt)]
        last = inner[0].lineno - 1 if inner else node.end_lineno or node.lineno
        reached = (node.lineno, max(last, node.lineno))
        for edit in self.of_whole(node):
            yield edit, reached
        if not is_docstring(node):
            for part in ast.iter_child_nodes(node):
                if isinstance(part, ast.expr) and part is not getattr(node, "annotation", None):
                    for edit in self.expression(part):
                        yield edit, reached
        for part in inner:
            yield from self.statement(part)

    def of_whole(self, node: ast.stmt) -> Iterator[Edit]:
        """Yield what may be wrong with a statement as a whole."""
        span = self.text.span(node)
        if isinstance(node, ast.Break):
            yield (*span, "continue")
        elif isinstance(node, ast.Continue):
            yield (*span, "break")
        elif isinstance(node, ast.If | ast.While):
            yield from self.negated(node.test)
        elif isinstance(node, ast.Return):
            yield from self.returned(node)
        elif isinstance(node, ast.AugAssign):
            yield from self.operator(node.target, node.op, node.value)
        if self.is_removable(node):
            yield (*span, "pass")

    def is_removable(self, node: ast.stmt) -> bool:
        """Whether the statement may be left out and the rest still makes sense."""
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name):
                new = target.id not in self.bound
                self.bound.add(target.id)
                return not new
            made = isinstance(self.node, ast.FunctionDef) and self.node.name == "__init__"
            return not (made and isinstance(target, ast.Attribute))
        if isinstance(node, ast.Return):
            return node.value is None
        return isinstance(node, ast.AugAssign) or (
            isinstance(node, ast.Expr) and not is_docstring(node)
        )

    def returned(self, node: ast.Return) -> Iterator[Edit]:
        """Yield another value to return."""
        if node.value is None or isinstance(node.value, ast.Constant | ast.Compare):
            return
        if number(node.value) is not None:
            return
        begin, end = self.text.span(node.value)
        if self.returns == "int":
            yield begin, end, f"({self.text.between(begin, end)}) + 1"
        elif self.returns == "bool":
            yield from self.negated(node.value)

    def negated(self, test: ast.expr) -> Iterator[Edit]:
        """Yield the opposite of a condition; that of a comparison or a `not` is made elsewhere."""
        if isinstance(test, ast.Compare):
            return
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return
        begin, end = self.text.span(test)
        yield begin, end, f"not ({self.text.between(begin, end)})"

    def expression(self, root: ast.expr) -> Iterator[Edit]:
        """Yield the changes of an expression and of those inside it."""
        if number(root) is not None:
            yield from self.constant(root)
            return
        if isinstance(root, ast.Compare):
            sides = [root.left, *root.comparators]
            for left, op, right in zip(sides, root.ops, root.comparators, strict=False):
                sign, others = COMPARISONS[type(op)]
                yield from self.gap(left, sign, others, right)
        elif isinstance(root, ast.BoolOp):
            sign, other = ("and", "or") if isinstance(root.op, ast.And) else ("or", "and")
            for left, right in zip(root.values, root.values[1:], strict=False):
                yield from self.gap(left, sign, (other,), right)
        elif isinstance(root, ast.BinOp):
            yield from self.operator(root.left, root.op, root.right)
        elif isinstance(root, ast.UnaryOp) and type(root.op) in SIGNS:
            begin = self.text.span(root)[0]
            yield begin, begin + len(SIGNS[type(root.op)]), ""
        elif isinstance(root, ast.IfExp):
            yield from self.negated(root.test)
        is_list = isinstance(root, ast.BinOp) and isinstance(root.left, ast.List)
        for part in ast.iter_child_nodes(root):
            if isinstance(part, ast.expr):
                edits = list(self.expression(part))
                yield from edits[1:] if is_list and number(part) is not None else edits
            elif isinstance(part, ast.comprehension):
                yield from self.expression(part.iter)

    def operator(self, left: ast.expr, op: ast.operator, right: ast.expr) -> Iterator[Edit]:
        """Yield another operator between two values; lists have no other."""
        if type(op) in ARITHMETIC and not isinstance(left, ast.List):
            sign, other = ARITHMETIC[type(op)]
            yield from self.gap(left, sign, (other,), right)

    def gap(
        self, left: ast.expr, sign: str, others: tuple[str, ...], right: ast.expr
    ) -> Iterator[Edit]:
        """Yield other signs for the one that stands between two expressions."""
        begin, end = self.text.span(left)[1], self.text.span(right)[0]
        between = self.text.between(begin, end)
        at = begin + len(between[: between.index(sign)].encode())
        for other in others:
            yield at, at + len(sign), other

    def constant(self, node: ast.expr) -> Iterator[Edit]:
        """Yield one more and one less; the other truth."""
        span = self.text.span(node)
        value = number(node)
        assert value is not None
        if isinstance(value, bool):
            yield (*span, str(not value))
        else:
            yield (*span, str(value + 1))
            yield (*span, str(value - 1))


def plain(text: str) -> str:
    """Return a piece of source on one line, without its comments."""
    return " ".join(re.sub(r"\s# [^\n]*", "", text).split())


def number(node: ast.AST) -> int | bool | None:
    """Return the number or truth that is written out there, if it is one."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = number(node.operand)
        return None if value is None else -value
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    return None


def is_docstring(node: ast.stmt) -> bool:
    """Whether a statement is a text."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
