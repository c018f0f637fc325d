/** `POST /exchange`: who signed, whether the nonce is new, whether it is in time, and then the action. */
import { dec } from '../../../../../gateway/domain/decimal.ts';
import type { FaultAct } from '../faults.ts';
import type { Account } from '../state/accounts.ts';
import { placeOrder } from '../state/matching.ts';
import { REFUSALS } from '../state/refusals.ts';
import type { Order, World } from '../state/world.ts';
import type { Action, ActionOf, Envelope } from '../wire/actions.ts';
import { legForm } from '../wire/forms.ts';
import { Nonces } from '../wire/nonces.ts';
import { signerOfApproval, signerOfL1 } from '../wire/signatures.ts';
import { approveAgent } from './approvals.ts';
import { updateIsolatedMargin, updateLeverage } from './margin-actions.ts';

/** `silence`: the connection ends without an answer. */
export type ExchangeAnswer =
  | { readonly status: 'ok'; readonly response: unknown }
  | { readonly status: 'err'; readonly response: string }
  | 'silence';

const GONE = 'Order was never placed, already canceled, or filled.';
const ONE_PER_MS = 10_000;
const LATE_COSTS = 5;

const done = { status: 'ok', response: { type: 'default' } } as const;
const no = (response: string) => ({ status: 'err', response }) as const;
const statuses = (type: string, list: readonly unknown[]) =>
  ({ status: 'ok', response: { type, data: { statuses: list } } }) as const;

export function legsOf(action: Action): number {
  if (action.type === 'order') return action.orders.length;
  return action.type === 'cancel' || action.type === 'cancelByCloid' ? action.cancels.length : 1;
}

export class Exchange {
  readonly #world: World;
  readonly #nonces = new Nonces();
  /** Time at which an account over its limit was last let through, by address. */
  readonly #lastTrickle = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Executes at once when the signer is known: nothing happens between the checks and the action. */
  async act(envelope: Envelope, faults: readonly FaultAct[]): Promise<ExchangeAnswer> {
    const { action } = envelope;
    if (action.type === 'approveAgent') return this.#approve(action, envelope);
    const signer = await signerOfL1(this.#world.network, envelope);
    const account = this.accountOf(signer, envelope.vaultAddress);
    if (account === undefined) return no(`User or API Wallet ${signer} does not exist.`);
    const now = this.#world.now();
    const nonce = this.#nonces.use(signer, envelope.nonce, now);
    if (nonce !== null) return no(nonce);
    const late = envelope.expiresAfter !== null && now > envelope.expiresAfter;
    const over = this.#spend(account, action, late ? LATE_COSTS : 1);
    if (over !== null) return no(over);
    if (late) return this.#world.lateExpiry === 'silence' ? 'silence' : no(REFUSALS.expired.text);
    return this.#execute(account, action, faults);
  }

  /** The account that a signer acts for: its own, or the one that approved it; with a vault, one of that account's. */
  accountOf(signer: string, vaultAddress: string | null): Account | undefined {
    const own = this.#world.masterOf(signer) ?? this.#world.find(signer);
    if (own === undefined || vaultAddress === null) return own;
    const vault = this.#world.find(vaultAddress);
    return vault !== undefined && vault.master === own.address ? vault : undefined;
  }

  #execute(account: Account, action: Action, faults: readonly FaultAct[]): ExchangeAnswer {
    const world = this.#world;
    switch (action.type) {
      case 'order':
        return this.#place(account, action, faults);
      case 'cancel':
        return statuses(
          'cancel',
          action.cancels.map(({ a, o }) => this.#cancel(world.orders.byOid(account, o), a)),
        );
      case 'cancelByCloid':
        return statuses(
          'cancel',
          action.cancels.map(({ asset, cloid }) =>
            this.#cancel(world.orders.byClient(account, cloid), asset),
          ),
        );
      case 'updateLeverage':
        return this.#changed(account, updateLeverage(world, account, action));
      case 'updateIsolatedMargin':
        return this.#changed(account, updateIsolatedMargin(world, account, action));
      default:
        return done;
    }
  }

  #changed(account: Account, refusal: string | null): ExchangeAnswer {
    if (refusal === null) this.#world.emit({ kind: 'account', account });
    return answer(refusal);
  }

  #place(account: Account, action: ActionOf<'order'>, faults: readonly FaultAct[]): ExchangeAnswer {
    if (action.builder !== undefined) return no('Builder fee has not been approved.');
    const answers = action.orders.map(({ a, b, p, s, r, t, c }, leg) => {
      const asset = this.#world.at(a);
      if (asset === undefined) return { error: `Invalid asset. asset=${a}` };
      const forced = faults.find((fault) => fault.do === 'refuse_leg' && fault.leg === leg);
      const refusal =
        forced?.do === 'refuse_leg' ? { status: forced.status ?? 'rejected', text: forced.text } : null;
      const order = {
        ...{ asset, isBuy: b, px: dec(p), sz: dec(s), reduceOnly: r },
        ...{ tif: t.limit.tif, client: c ?? null },
      };
      return legForm(placeOrder(this.#world, account, order, refusal));
    });
    return statuses('order', answers);
  }

  #cancel(order: Order | undefined, asset: number): 'success' | { readonly error: string } {
    if (order === undefined || order.status !== 'open' || order.market.index !== asset) {
      return { error: `${GONE} asset=${asset}` };
    }
    this.#world.cancel(order);
    return 'success';
  }

  async #approve(action: ActionOf<'approveAgent'>, envelope: Envelope): Promise<ExchangeAnswer> {
    const world = this.#world;
    const signer = await signerOfApproval(action, envelope);
    const account = world.find(signer);
    if (account === undefined) return no(`Must deposit before performing actions. User: ${signer}`);
    const chain = world.network === 'mainnet' ? 'Mainnet' : 'Testnet';
    if (action.hyperliquidChain !== chain) return no(`Invalid chain ${action.hyperliquidChain}`);
    if (action.nonce !== envelope.nonce) return no('Invalid nonce: action and request differ');
    const nonce = this.#nonces.use(signer, envelope.nonce, world.now());
    if (nonce !== null) return no(nonce);
    return answer(approveAgent(world, account, action.agentAddress, action.agentName ?? ''));
  }

  /** Counts an action against the account's limit; answers the venue's words where it is used up. */
  #spend(account: Account, action: Action, factor: number): string | null {
    const cost = legsOf(action) * factor;
    const traded = Number(account.volume.floor().toFixed());
    const limit = account.requestBuffer + traded;
    const isCancel = action.type === 'cancel' || action.type === 'cancelByCloid';
    const most = isCancel ? Math.min(limit + 100_000, limit * 2) : limit;
    if (account.requestsUsed + cost > most) {
      const now = this.#world.now();
      if (now - (this.#lastTrickle.get(account.address) ?? 0) < ONE_PER_MS) {
        return `Too many cumulative requests sent (${account.requestsUsed + cost} > ${most}) for cumulative volume traded $${account.volume.toFixed(2)}. Place taker orders to free up 1 request per USDC traded.`;
      }
      this.#lastTrickle.set(account.address, now);
    }
    account.requestsUsed += cost;
    return null;
  }
}

function answer(refusal: string | null): ExchangeAnswer {
  return refusal === null ? done : no(refusal);
}
