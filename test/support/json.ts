/** A parsed answer. Tests look into answers of every shape; that each has its shape is tested with the contract's schemas. */
// biome-ignore lint/suspicious/noExplicitAny: the one place
export type Json = any;

export async function jsonOf(response: Response): Promise<Json> {
  return response.json();
}
