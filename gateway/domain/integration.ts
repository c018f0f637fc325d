/** A program to which a user lets trades be attributed, by its `clientId`. */
export type IntegrationStatus = 'ACTIVE' | 'INACTIVE';

export interface Integration {
  readonly id: string;
  readonly userId: string;
  /** Id that order-placing requests name; unique per user and never changed, because history refers to it. */
  readonly clientId: string;
  readonly name: string;
  readonly status: IntegrationStatus;
  readonly createdAt: number;
  readonly updatedAt: number;
}
