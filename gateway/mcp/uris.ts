/** Addresses of the resources. */
export const GUIDE_URI = 'tandem://guide';
export const LIMITS_URI = 'tandem://limits';
export const positionsUri = (accountId: string) => `tandem://positions/${accountId}`;
export const orderUri = (id: string) => `tandem://orders/${id}`;
export const approvalUri = (id: string) => `tandem://approvals/${id}`;

/** Resources that a client should read again after a commit that changed one thing of an account. */
export function urisOf(event: {
  readonly tradeAccountId: string;
  readonly entityId: string;
}): readonly string[] {
  return [orderUri(event.entityId), approvalUri(event.entityId), positionsUri(event.tradeAccountId)];
}
