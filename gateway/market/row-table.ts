/**
 * The latest row of each instrument and its JSON text. A row is serialised at its first read and again only after a
 * change, whether HTTP, a snapshot or an update reads it.
 */
export class RowTable<T extends { readonly id: string }> {
  readonly #toText: (row: T) => string;
  readonly #rows = new Map<string, T>();
  readonly #texts = new Map<string, string>();
  #all: string | null = null;

  constructor(toText: (row: T) => string) {
    this.#toText = toText;
  }

  get(id: string): T | undefined {
    return this.#rows.get(id);
  }

  set(row: T): void {
    this.#rows.set(row.id, row);
    this.#texts.delete(row.id);
    this.#all = null;
  }

  delete(id: string): void {
    if (!this.#rows.delete(id)) return;
    this.#texts.delete(id);
    this.#all = null;
  }

  values(): IterableIterator<T> {
    return this.#rows.values();
  }

  /** JSON array of every row, in the order in which the venue first named them. */
  json(): string {
    this.#all ??= `[${Array.from(this.#rows.values(), (row) => this.#text(row)).join(',')}]`;
    return this.#all;
  }

  /** JSON array of the rows with these ids; ids without a row are left out. */
  jsonOf(ids: Iterable<string>): string {
    const texts: string[] = [];
    for (const id of ids) {
      const row = this.#rows.get(id);
      if (row !== undefined) texts.push(this.#text(row));
    }
    return `[${texts.join(',')}]`;
  }

  #text(row: T): string {
    let text = this.#texts.get(row.id);
    if (text === undefined) {
      text = this.#toText(row);
      this.#texts.set(row.id, text);
    }
    return text;
  }
}
