/** Make an element focusable while its content overflows, so that it can be scrolled by keyboard. */
export function scrollable(node: HTMLElement): () => void {
    const update = () => {
        const overflows = node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight;
        if (overflows) node.tabIndex = 0;
        else node.removeAttribute("tabindex");
    };
    const observer = new ResizeObserver(update);
    observer.observe(node);
    for (const child of node.children) observer.observe(child);
    return () => observer.disconnect();
}
