/** What is wrong with a form as a whole, or with what none of its fields shows. */

import layout from '../../components/layout.module.css';
import { ErrorState } from '../../components/states.tsx';
import type { FormSend } from './use-form-send.ts';

export function FormProblems({ sending }: { readonly sending: Pick<FormSend, 'elsewhere' | 'error'> }) {
  return (
    <>
      {sending.elsewhere.map((message) => (
        <p key={message} role="alert" className={layout['problem']}>
          {message}
        </p>
      ))}
      {sending.error !== null && <ErrorState compact error={sending.error} />}
    </>
  );
}
