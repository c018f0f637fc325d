/** A program that a user lets trades be attributed to, by its `clientId`. */
export type IntegrationStatus = 'ACTIVE' | 'INACTIVE';

export interface Integration {
  readonly id: string;
  readonly userId: string;
  /** What order-placing requests name; unique per user, never changed: history refers to it. */
  readonly clientId: string;
  readonly name: string;
  readonly status: IntegrationStatus;
  readonly createdAt: number;
  readonly updatedAt: number;
}
