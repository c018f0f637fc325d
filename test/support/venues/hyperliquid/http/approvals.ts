/** `approveAgent`: an account's own wallet lets a key trade for it. */
import type { Account, Agent } from '../state/accounts.ts';
import type { World } from '../state/world.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 90;
const LONGEST_DAYS = 180;
const MOST_NAMED = 3;
const LONGEST_NAME = 16;

/** Agents that were ever approved: an address never serves twice, because old actions could be replayed for it. */
const everUsed = new WeakMap<World, Set<string>>();

/** null where done, else the venue's words. */
export function approveAgent(
  world: World,
  account: Account,
  address: string,
  fullName: string,
): string | null {
  const now = world.now();
  const [, named, until] = /^(.*?)(?: valid_until (\d+))?$/.exec(fullName) ?? [];
  const name = named ?? '';
  if (name.length > LONGEST_NAME) return 'Agent name is too long.';
  const validUntil = until === undefined ? now + DEFAULT_DAYS * DAY_MS : Number(until);
  if (validUntil <= now || validUntil > now + LONGEST_DAYS * DAY_MS) return 'Invalid agent valid_until.';
  const used = everUsed.get(world) ?? new Set();
  everUsed.set(world, used);
  if (used.has(address) || world.find(address) !== undefined) return 'Extra agent already used.';
  const others = account.agents.filter((agent) => agent.name !== name && agent.validUntil > now);
  if (name !== '' && others.filter((agent) => agent.name !== '').length >= MOST_NAMED) {
    return `Too many extra agents. Cannot have more than ${MOST_NAMED}.`;
  }
  used.add(address);
  account.agents = [...others, { address, name, validUntil }];
  return null;
}

export function namedAgents({ agents }: Account, now: number): readonly Agent[] {
  return agents.filter(({ name, validUntil }) => name !== '' && validUntil > now);
}
