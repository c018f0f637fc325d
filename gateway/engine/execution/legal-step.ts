/** The steps of an execution are legal by construction; an illegal step is a bug and must not be committed. */
export function legal<T>(
  step:
    | { readonly ok: true; readonly value: T }
    | { readonly ok: false; readonly error: { readonly kind: string } },
): T {
  if (!step.ok) throw new Error(`illegal step of an execution: ${JSON.stringify(step.error)}`);
  return step.value;
}
