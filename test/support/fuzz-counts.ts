/** Results of a fuzzer's run, by group, as lines that can be quoted. */
export class FuzzCounts {
  readonly #groups = new Map<string, Map<string, number>>();

  /** @param what a status, or the kind of an answer */
  add(group: string, what: string): void {
    const counts = this.#groups.get(group) ?? new Map<string, number>();
    counts.set(what, (counts.get(what) ?? 0) + 1);
    this.#groups.set(group, counts);
  }

  /** A headline with the sum and the violations, and a line for each group. */
  text(headline: string, violations: number): string {
    const rows = [...this.#groups].sort(([one], [other]) => one.localeCompare(other));
    const sum = new Map<string, number>();
    for (const [, counts] of rows)
      for (const [what, count] of counts) sum.set(what, (sum.get(what) ?? 0) + count);
    const width = Math.max(...rows.map(([group]) => group.length));
    const lines = rows.map(([group, counts]) => `${group.padEnd(width)}  ${countsText(counts)}`);
    return [`${headline}: ${violations} violations; ${countsText(sum)}`, ...lines]
      .map((line) => `      ${line}`)
      .join('\n');
  }
}

function countsText(counts: ReadonlyMap<string, number>): string {
  const total = [...counts.values()].reduce((all, count) => all + count, 0);
  const each = [...counts].sort(([one], [other]) => one.localeCompare(other));
  return `${total} = ${each.map(([what, count]) => `${count} × ${what}`).join(', ')}`;
}
