/**
 * Everything a load asked of a gateway and what it was told. Each request carries a slippage that no other has, and the
 * execution keeps it: so an execution names the request that made it, with or without an answer.
 */
import type { Json } from '../../support/json.ts';

export interface Asked {
  readonly serial: number;
  readonly accountId: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | null;
  /** Name of the one that asks, as the user is told it. */
  readonly by: string;
  /** The request's slippage, in its canonical form. */
  readonly tag: string;
  /** `unknown`: no answer came; it may have been taken. */
  state: 'sent' | 'acknowledged' | 'refused' | 'unknown';
  executionId: string | null;
}

export class OrderLedger {
  readonly asked: Asked[] = [];
  readonly complaints: string[] = [];

  ask(
    accountId: string,
    path: string,
    body: Readonly<Record<string, unknown>>,
    hasKey: (serial: number) => string | null,
    by: string,
  ): Asked {
    const serial = this.asked.length + 1;
    // Never a zero at the end: it would not survive as text.
    const tag = `0.02${String(serial).padStart(8, '0')}1`;
    const asked: Asked = {
      serial,
      accountId,
      path,
      body: { ...body, slippage: tag },
      idempotencyKey: hasKey(serial),
      by,
      tag,
      state: 'sent',
      executionId: null,
    };
    this.asked.push(asked);
    return asked;
  }

  complain(complaint: string): void {
    this.complaints.push(complaint);
  }

  acknowledged(): readonly Asked[] {
    return this.asked.filter((asked) => asked.state === 'acknowledged');
  }

  /** Every acknowledged request has its one execution, a refused one has none, an unanswered one at most one. */
  compare(accountId: string, executions: readonly Json[]): readonly string[] {
    const complaints: string[] = [];
    const byTag = new Map<string, Json[]>();
    for (const execution of executions.filter(({ parentId }) => parentId === null)) {
      byTag.set(execution.slippage, [...(byTag.get(execution.slippage) ?? []), execution]);
    }
    for (const asked of this.asked) {
      if (asked.accountId !== accountId) continue;
      const made = byTag.get(asked.tag) ?? [];
      byTag.delete(asked.tag);
      const ids = made.map(({ id }) => id).join(', ');
      const name = `request ${asked.serial} (${asked.path}, ${asked.state})`;
      if (made.length > 1) complaints.push(`${name} made ${made.length} executions: ${ids}`);
      if (asked.state === 'refused' && made.length > 0)
        complaints.push(`${name} was refused and made ${ids}`);
      if (asked.state === 'acknowledged' && asked.executionId !== made[0]?.id) {
        complaints.push(`${name} was told ${asked.executionId}, found ${ids || 'nothing'}`);
      }
      for (const { id, authority } of made)
        if (authority.name !== asked.by)
          complaints.push(`${name} came from ${asked.by}; ${id} says ${authority.name}`);
    }
    for (const [tag, made] of byTag)
      complaints.push(`nobody asked for execution ${made[0]?.id} (slippage ${tag})`);
    return complaints;
  }
}
