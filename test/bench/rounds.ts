/**
 * Alternates what is compared. Every round runs each side once, in one order and then in the other, so that a drift of
 * the machine (heat, neighbours, caches) falls on all of them alike.
 */
export async function alternate<Result, Side extends string>(
  rounds: number,
  sides: Readonly<Record<Side, () => Promise<Result>>>,
): Promise<Readonly<Record<Side, readonly Result[]>>> {
  const names = Object.keys(sides) as Side[];
  const results = Object.fromEntries(names.map((name): [string, Result[]] => [name, []])) as Record<
    Side,
    Result[]
  >;
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? names : [...names].reverse();
    for (const name of order) results[name].push(await sides[name]());
  }
  return results;
}
