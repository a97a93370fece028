/** Words of style from the house, such as "seat.0 strong", as classes. */
export function classesOf(style: string): string {
    return style
        .split(" ")
        .filter(Boolean)
        .map((word) => `as-${word.replace(".", "-")}`)
        .join(" ");
}
