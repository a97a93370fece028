/** Take part in the deal for somebody who does not look now; over a line of their own, until it is done. */
export function contributeFor(code: string, hand: number): () => void {
    const table = new Table(code, hand);
    table.open();
    const look = window.setInterval(() => {
        if (table.room && !["lobby", "sealing"].includes(table.room.stage)) end();
    }, 250);
    function end(): void {
        window.clearInterval(look);
        table.close();
    }
    return end;
}
