/** The request that a caller makes, carried by its principal: services that change things have no command to carry it. */
import type { Principal } from '../../domain/model.ts';
import type { AskedRequest } from '../ports/approval-desk.ts';

type Caller = Principal & { readonly asked?: AskedRequest };

/** @param asked given only where the caller is bound by a mandate */
export function callerOf(principal: Principal, asked: AskedRequest): Principal {
  const caller: Caller = { ...principal, asked };
  return caller;
}

/** null: the caller is bound by no mandate, or the gateway itself acts. */
export function askedOf(principal: Principal): AskedRequest | null {
  const caller: Caller = principal;
  return caller.asked ?? null;
}
