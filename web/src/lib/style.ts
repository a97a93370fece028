/** Return the CSS classes for a style that the server names, such as "seat.0 strong". */
export function classesOf(style: string): string {
    return style
        .split(" ")
        .filter(Boolean)
        .map((word) => `as-${word.replace(".", "-")}`)
        .join(" ");
}
