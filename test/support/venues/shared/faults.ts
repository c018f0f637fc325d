/** Scripted faults: each names the requests that it meets and how often it does. */

import type { Clock } from '../../../../gateway/engine/ports/system.ts';
import type { Json } from '../../json.ts';
import type { Reply } from './reply.ts';
import { html, json } from './reply.ts';

export type CommonAct =
  /** The connection is cut and nothing executed. */
  | { readonly do: 'cut_before' }
  /** Executed, then the connection is cut without an answer. */
  | { readonly do: 'lose_answer' }
  /** No answer ever comes. */
  | { readonly do: 'hang'; readonly execute: boolean }
  | { readonly do: 'delay'; readonly beforeMs?: number; readonly afterMs?: number }
  /** An HTTP status of a proxy before the venue, as 502 with a page of HTML or 429. */
  | { readonly do: 'status'; readonly code: number; readonly body?: string; readonly execute?: boolean }
  /** This JSON comes instead of the real answer. */
  | { readonly do: 'answer'; readonly json: unknown; readonly code?: number; readonly execute?: boolean }
  /** Executed; every order of the answer has this status. */
  | { readonly do: 'word'; readonly status: string }
  /** Executed; the JSON of the answer is changed. Only for an emulator of the same process. */
  | { readonly do: 'change'; readonly json: (value: Json) => unknown }
  /** Executed; the answer breaks off in the middle of its JSON, with a length that claims to be whole. */
  | { readonly do: 'truncate' };

export interface Aim {
  /** The venue's word for a request, or for a group of them; `*`: all. */
  readonly on: string;
  /** Number of requests that it meets; null: all until it is cleared. Default 1. */
  readonly times?: number | null;
}

export class Faults<Fault extends Aim> {
  #armed: { readonly fault: Fault; left: number }[] = [];

  arm(fault: Fault): void {
    this.#armed.push({ fault, left: fault.times === null ? Number.POSITIVE_INFINITY : (fault.times ?? 1) });
  }

  clear(): void {
    this.#armed = [];
  }

  /** Number of faults that still wait for a request. */
  get armed(): number {
    return this.#armed.length;
  }

  some(condition: (fault: Fault) => boolean): boolean {
    return this.#armed.some(({ fault }) => condition(fault));
  }

  /** All faults that meet a request of these names; each counts as used. */
  meet(names: readonly string[], condition: (fault: Fault) => boolean = () => true): readonly Fault[] {
    const met = this.#armed.filter(
      ({ fault }) => (fault.on === '*' || names.includes(fault.on)) && condition(fault),
    );
    for (const one of met) one.left -= 1;
    this.#armed = this.#armed.filter(({ left }) => left > 0);
    return met.map(({ fault }) => fault);
  }
}

/**
 * The venue's answer to a request that these faults meet.
 * @param venue executes the request
 * @param around called just before and just after that, and before a fault's answer in the venue's place
 */
export async function answerUnder(
  faults: readonly { readonly do: string }[],
  clock: Clock,
  venue: () => Promise<Reply>,
  around: (when: 'before' | 'after') => void = () => {},
): Promise<Reply> {
  const acts = faults as readonly CommonAct[];
  for (const act of acts) if (act.do === 'delay') await clock.sleep(act.beforeMs ?? 0);
  around('before');
  const instead = insteadOf(acts);
  if (instead !== null && !acts.some((act) => 'execute' in act && act.execute === true)) return instead;
  const reply = await venue();
  around('after');
  for (const act of acts) if (act.do === 'delay') await clock.sleep(act.afterMs ?? 0);
  return instead ?? spoiled(acts, reply);
}

/** Answer of a fault in the venue's place; null: the venue answers. */
function insteadOf(faults: readonly CommonAct[]): Reply | null {
  for (const fault of faults) {
    if (fault.do === 'cut_before') return { kind: 'cut' };
    if (fault.do === 'hang') return { kind: 'never' };
    if (fault.do === 'answer') return json(fault.json, fault.code);
    if (fault.do === 'status') {
      const page = [405, 502, 503].includes(fault.code);
      return page ? html(fault.code, fault.body) : json(null, fault.code, fault.body);
    }
  }
  return null;
}

function spoiled(faults: readonly CommonAct[], reply: Reply): Reply {
  if (faults.some((fault) => fault.do === 'lose_answer')) return { kind: 'cut' };
  if (reply.kind === 'sent' && faults.some((fault) => fault.do === 'truncate')) {
    return { kind: 'broken', body: reply.body };
  }
  return faults.reduce(changed, reply);
}

function changed(reply: Reply, fault: CommonAct): Reply {
  if (reply.kind !== 'sent' || (fault.do !== 'word' && fault.do !== 'change')) return reply;
  const value: Json = JSON.parse(reply.body);
  const body =
    fault.do === 'change'
      ? JSON.stringify(fault.json(value))
      : JSON.stringify(value, (_, part) => worded(part, fault.status));
  return { ...reply, body };
}

/** Both venues' orders are told by a field that nothing else has. */
function worded(value: unknown, status: string): unknown {
  const isOrder = value instanceof Object && ('statusTimestamp' in value || 'client_order_index' in value);
  return isOrder ? { ...value, status } : value;
}
