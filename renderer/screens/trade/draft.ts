/** The Trade screen's draft, per trade account: it outlives errors, other screens and an ended session. */
import { createStore, useStore } from 'zustand';
import { type Basket, EMPTY_BASKET } from '../../features/basket/basket.ts';
import { NEW_TICKET, type TicketDraft } from './ticket.ts';

export interface TradeDraft {
  readonly basket: Basket;
  readonly ticket: TicketDraft;
}

const NEW_DRAFT: TradeDraft = { basket: EMPTY_BASKET, ticket: NEW_TICKET };
const store = createStore<Readonly<Record<string, TradeDraft>>>(() => ({}));

export function useTradeDraft(accountId: string): TradeDraft {
  return useStore(store, (drafts) => drafts[accountId] ?? NEW_DRAFT);
}

export function changeTradeDraft(
  accountId: string,
  change: (draft: TradeDraft) => Partial<TradeDraft>,
): void {
  const draft = store.getState()[accountId] ?? NEW_DRAFT;
  store.setState({ [accountId]: { ...draft, ...change(draft) } });
}
