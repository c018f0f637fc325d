/**
 * Deny and Approve. Deny has the focus. Approve is enabled once the current figures, the last leg included, have been
 * visible for a moment: nobody approves legs that were below the window.
 */
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { readAnew } from '../../api/queries.ts';
import { useClient } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import layout from '../../components/layout.module.css';
import { TextField } from '../../components/text-field.tsx';
import { useArmed } from '../../features/armed/use-armed.ts';
import { type Approval, hasNewFigures, moneyWords, problemWords } from './approval-words.ts';
import css from './approvals.module.css';
import { useSeen } from './use-seen.ts';

export function Decision({
  approval,
  legsEnd,
}: {
  readonly approval: Approval;
  /** Element after the last leg; its ref holds null where there are no legs. */
  readonly legsEnd: RefObject<HTMLElement | null>;
}) {
  const client = useClient();
  const { id, planHash, needsPassword } = approval;
  const bar = useRef<HTMLFormElement>(null);
  const figures = `${planHash} ${needsPassword}`;
  const isSeen = useSeen(figures, legsEnd, bar);
  // A refusal disables Approve anew, also where its figures have already been visible: its words are read first.
  const [refusals, setRefusals] = useState(0);
  const armed = useArmed(`${figures} ${isSeen} ${refusals}`) && isSeen;
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState<'approve' | 'deny' | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const deny = useRef<HTMLButtonElement>(null);
  const secret = useRef<HTMLInputElement>(null);
  const money = useId();
  useEffect(() => deny.current?.focus(), []);

  async function decide(how: 'approve' | 'deny') {
    setBusy(how);
    setProblem(null);
    const params = { id };
    let found: string | null = null;
    try {
      if (how === 'deny') await client.call('POST /approvals/{id}/deny', { params });
      else {
        const body = { planHash, ...(needsPassword ? { password } : {}) };
        await client.call('POST /approvals/{id}/approve', { params, body });
      }
    } catch (error) {
      found = `${problemWords(error)}${hasNewFigures(error) ? ' These are the new figures.' : ''}`;
    }
    setPassword('');
    // The problem is shown only after the figures that it refers to.
    await readAnew('GET /approvals/{id}', 'GET /approvals');
    setProblem(found);
    if (found !== null) setRefusals((before) => before + 1);
    setBusy(null);
    // Approve had the focus and is disabled again, so the focus moves to the password, which has to be retyped.
    if (how === 'approve' && found !== null) secret.current?.focus();
  }

  const canApprove = armed && busy === null && (!needsPassword || password !== '');
  return (
    <form
      ref={bar}
      className={css['decision']}
      onSubmit={(event) => {
        event.preventDefault();
        if (canApprove) void decide('approve');
      }}
    >
      <p id={money} className={css['money']}>
        {moneyWords(approval)}.
      </p>
      {needsPassword && (
        <TextField
          ref={secret}
          label="Your password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
        />
      )}
      {!isSeen && <p className={layout['quiet']}>Scroll to the last leg to approve.</p>}
      <div role="alert" className={css['problem']}>
        {problem}
      </div>
      <div className={css['buttons']}>
        <Button
          ref={deny}
          busy={busy === 'deny'}
          disabled={busy !== null}
          onClick={() => void decide('deny')}
        >
          Deny
        </Button>
        <Button
          kind="primary"
          type="submit"
          busy={busy === 'approve'}
          disabled={!canApprove}
          aria-describedby={money}
        >
          Approve
        </Button>
      </div>
    </form>
  );
}
