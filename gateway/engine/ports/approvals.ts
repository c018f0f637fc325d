/** Reads of approvals. They are written as a part of a unit of work. The adapter is store/. */
import type { Approval } from '../../domain/approval.ts';
import type { Page, PageRequest } from './pages.ts';

export interface ApprovalStore {
  approval(id: string): Promise<Approval | null>;
  /** A user's approvals: pending ones first, then the others, each newest first. */
  approvals(userId: string, page: PageRequest): Promise<Page<Approval>>;
  /** Approvals of all users that are pending, or were requested at `time` (epoch ms) or later; oldest first. */
  approvalsSince(time: number): Promise<readonly Approval[]>;
}
