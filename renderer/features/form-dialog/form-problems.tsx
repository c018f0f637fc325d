/** Errors of a form as a whole, and errors without a field in the form. */

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
