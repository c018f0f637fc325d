/** Returns the step's value, and throws if the step is illegal. Illegal steps are bugs and must not be committed. */
export function legal<T>(
  step:
    | { readonly ok: true; readonly value: T }
    | { readonly ok: false; readonly error: { readonly kind: string } },
): T {
  if (!step.ok) throw new Error(`illegal step of an execution: ${JSON.stringify(step.error)}`);
  return step.value;
}
