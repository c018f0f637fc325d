/** Keyset pages of lists. */

/** Position in a keyset-paginated list: the last row's sort key. Routes encode it (contract/cursor.ts). */
export interface PageRequest {
  readonly limit: number;
  readonly after: { readonly key: number; readonly id: string } | null;
}

export interface Page<T> {
  readonly rows: readonly T[];
  /** Sort key of the last row of the page; null: no more rows. */
  readonly next: { readonly key: number; readonly id: string } | null;
}
