/** Copies of an answer, each with one place in it changed, for tests of what reads it. */
export function* mutants(value: unknown): Generator<unknown> {
  for (const wrong of [null, '', 'x', {}, []]) yield wrong;
  if (Array.isArray(value)) {
    for (const [index, item] of value.slice(0, 3).entries())
      for (const changed of mutants(item)) yield value.with(index, changed);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  yield { ...value, somethingNew: 1 };
  for (const [key, inner] of Object.entries(value)) {
    const { [key]: _, ...without } = value as Record<string, unknown>;
    yield without;
    for (const changed of mutants(inner)) yield { ...value, [key]: changed };
  }
}
