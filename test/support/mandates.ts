/** Mandates that tests fill, and a desk on which nobody sits: both in memory, as the engine asks them. */
import type { Placed } from '../../gateway/domain/authority.ts';
import type { HouseLimits, Mandate, MandateHolder } from '../../gateway/domain/mandate.ts';
import { boundlessMandate } from '../../gateway/domain/mandate-terms.ts';
import type { Principal } from '../../gateway/domain/model.ts';
import type {
  ApprovalDesk,
  ApprovalRequest,
  AskedRequest,
  WaitingApproval,
} from '../../gateway/engine/ports/approval-desk.ts';
import type { BoundMandate, MandateBook } from '../../gateway/engine/ports/mandate-book.ts';

/** A mandate that allows every order of its own on the given accounts, without limits, and no right beside. */
export function openMandate(accounts: readonly string[], over: Partial<Mandate> = {}): Mandate {
  return {
    ...boundlessMandate(accounts),
    manage: 'OWN',
    rights: {
      readCredentials: false,
      manageAccounts: false,
      exchangeSetup: false,
      changeLeverage: false,
      attributeTrades: false,
    },
    rate: { perMinute: 1_000_000, perDay: 1_000_000, coolDownSeconds: 0 },
    ...over,
  };
}

/** As `openMandate`, but a person is asked about every order above 250 USD. */
export function askingMandate(accounts: readonly string[], over: Partial<Mandate['approval']> = {}): Mandate {
  const { approval, ...rest } = openMandate(accounts);
  return { ...rest, approval: { ...approval, when: 'above', aboveUsd: '250', ...over } };
}

/** A loss stop. */
export function stopAt(usd: string, closes = false): NonNullable<Mandate['lossStop']> {
  // biome-ignore lint/suspicious/noThenProperty: a word, nothing to call
  return { usd, then: closes ? 'SUSPEND_AND_CLOSE' : 'SUSPEND' };
}

export const NO_HOUSE_LIMITS: HouseLimits = {
  maxOrderUsd: null,
  maxOpenedUsd24h: null,
  maxGrossUsd: null,
  maxPositions: null,
  maxResting: null,
  lossUsd24h: null,
};

export function grantPrincipal(grantId: string, userId = 'user'): Principal {
  return { kind: 'oauth_grant', userId, grantId, clientId: `client of ${grantId}`, scopes: ['mcp:write'] };
}

export class MemoryMandates implements MandateBook {
  readonly #bound = new Map<string, BoundMandate>();
  readonly #house = new Map<string, HouseLimits>();
  readonly suspensions: { readonly holder: MandateHolder; readonly reason: string }[] = [];

  put(
    holder: MandateHolder,
    mandate: Mandate,
    { userId = 'user', lineage = [] as readonly string[] } = {},
  ): void {
    const version = (this.#bound.get(keyOf(holder))?.version ?? 0) + 1;
    this.#bound.set(keyOf(holder), { holder, mandate, version, since: 0, userId, suspended: null, lineage });
  }

  remove(holder: MandateHolder): void {
    this.#bound.delete(keyOf(holder));
  }

  limitHouse(limits: Partial<HouseLimits>, userId = 'user'): void {
    this.#house.set(userId, { ...NO_HOUSE_LIMITS, ...limits });
  }

  of({ authorityKind, authorityId }: Placed): BoundMandate | null {
    return this.#bound.get(`${authorityKind} ${authorityId}`) ?? null;
  }

  house(userId: string): HouseLimits | null {
    return this.#house.get(userId) ?? null;
  }

  all(): readonly BoundMandate[] {
    return [...this.#bound.values()];
  }

  suspend(holder: MandateHolder, reason: string): void {
    const bound = this.#bound.get(keyOf(holder));
    if (bound === undefined || bound.suspended !== null) return;
    this.#bound.set(keyOf(holder), { ...bound, suspended: { reason, at: 0 } });
    this.suspensions.push({ holder, reason });
  }

  resume(holder: MandateHolder): void {
    const bound = this.#bound.get(keyOf(holder));
    if (bound !== undefined) this.#bound.set(keyOf(holder), { ...bound, suspended: null });
  }
}

/** Keeps every question; a test answers by making the request again as approved. */
export class MemoryDesk implements ApprovalDesk {
  readonly asked: (ApprovalRequest & { readonly id: string })[] = [];
  readonly #done = new Set<string>();

  known(holder: MandateHolder, _: unknown, request: AskedRequest) {
    const before = this.#open().find(
      (one) => keyOf(one.holder) === keyOf(holder) && sameRequest(one.request, request),
    );
    return before === undefined ? null : waitingFor(before.id);
  }

  ask(request: ApprovalRequest) {
    const id = `approval ${this.asked.length + 1}`;
    this.asked.push({ ...request, id });
    return Promise.resolve(waitingFor(id));
  }

  waiting(holder: MandateHolder): readonly WaitingApproval[] {
    return this.#open()
      .filter((one) => keyOf(one.holder) === keyOf(holder))
      .map(({ id, reserveUsd, opensPosition, rests }) => ({
        id,
        reserveUsd,
        opensPosition,
        rests,
        createdAt: 0,
      }));
  }

  /** The question is answered: it does not wait any more. */
  done(id: string): void {
    this.#done.add(id);
  }

  #open() {
    return this.asked.filter(({ id }) => !this.#done.has(id));
  }
}

function waitingFor(approvalId: string) {
  return {
    code: 'RESOURCE_BUSY',
    message: 'A person has to approve it first',
    details: { reason: 'APPROVAL', approvalId, expiresAt: '2026-01-01T00:00:00.000Z' },
  } as const;
}

function sameRequest(a: AskedRequest, b: AskedRequest): boolean {
  return a.route === b.route && JSON.stringify([a.params, a.body]) === JSON.stringify([b.params, b.body]);
}

function keyOf({ kind, id }: MandateHolder): string {
  return `${kind} ${id}`;
}
