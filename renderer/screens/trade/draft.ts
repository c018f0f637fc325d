/**
 * The Trade screen's draft, per trade account. It survives errors, other screens, the end of a session and a reload of
 * the tab.
 */
import { createStore, useStore } from 'zustand';
import { type Basket, basketOf, EMPTY_BASKET, linkOf } from '../../features/basket/basket.ts';
import { readBasketLink, tradeHref } from '../../features/basket-link/basket-link.ts';
import { NO_BRACKET } from '../../features/brackets-form/bracket-draft.ts';
import { NEW_TICKET, type TicketDraft } from './ticket.ts';

export interface TradeDraft {
  readonly basket: Basket;
  readonly ticket: TicketDraft;
  /** The ticket of the last order that was accepted; null: none yet. */
  readonly sent: TicketDraft | null;
}

type Drafts = Readonly<Record<string, TradeDraft>>;

const NEW_DRAFT: TradeDraft = { basket: EMPTY_BASKET, ticket: NEW_TICKET, sent: null };
const KEPT = 'tandem.trade-draft';
/** Version of the page. A draft that another version wrote may have another form, so it is ignored. */
const version = document.querySelector<HTMLMetaElement>('meta[name="tandem-version"]')?.content ?? '';

const store = createStore<Drafts>(readKept);
store.subscribe((drafts) => {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ version, drafts }));
  } catch {
    // Without storage a reload loses the draft.
  }
});

export function useTradeDraft(accountId: string): TradeDraft {
  return useStore(store, (drafts) => drafts[accountId] ?? NEW_DRAFT);
}

const LAST = 'tandem.last-baskets';

/** Basket that was last built for the account in this browser; null: none is known. */
export function lastBasket(accountId: string): Basket | null {
  try {
    const kept = JSON.parse(localStorage.getItem(LAST) ?? 'null')?.[accountId];
    // Another version of the page may have stored another form.
    const link = kept === undefined ? null : readBasketLink(String(kept));
    return link === null ? null : basketOf(link);
  } catch {
    return null;
  }
}

function keepLast(accountId: string, basket: Basket): void {
  if (basket.legs.length === 0) return;
  try {
    const all = JSON.parse(localStorage.getItem(LAST) ?? '{}');
    const link = tradeHref(linkOf(basket)).replace('/trade', '');
    localStorage.setItem(LAST, JSON.stringify({ ...all, [accountId]: link }));
  } catch {
    // Without storage the screen opens with the most traded pair.
  }
}

export function changeTradeDraft(
  accountId: string,
  change: (draft: TradeDraft) => Partial<TradeDraft>,
): void {
  const draft = store.getState()[accountId] ?? NEW_DRAFT;
  const changed = { ...draft, ...change(draft) };
  store.setState({ [accountId]: changed });
  if (changed.basket !== draft.basket) keepLast(accountId, changed.basket);
}

/** Draft after its order was accepted: nothing in it would open anything a second time. */
export function spent({ ticket }: TradeDraft): Partial<TradeDraft> {
  return {
    sent: ticket,
    ticket: {
      ...ticket,
      notional: '',
      risk: null,
      takeProfit: NO_BRACKET,
      stopLoss: NO_BRACKET,
      brackets: NEW_TICKET.brackets,
      beside: null,
      rebalance: NEW_TICKET.rebalance,
    },
  };
}

function readKept(): Drafts {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as {
      readonly version?: unknown;
      readonly drafts?: Drafts;
    } | null;
    return kept?.version === version && kept.drafts !== undefined ? kept.drafts : {};
  } catch {
    return {};
  }
}
