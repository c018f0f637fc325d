/** Reads of approvals. They are written as a part of a unit of work. The adapter is store/. */
import type { Approval } from '../../domain/approval.ts';
import type { Page, PageRequest } from './pages.ts';

export interface ApprovalStore {
  approval(id: string): Promise<Approval | null>;
  /** A user's approvals: those that wait first, in each half the newest first. */
  approvals(userId: string, page: PageRequest): Promise<Page<Approval>>;
  /** Approvals of all users that wait, and those that were asked for at `time` (epoch ms) or later; oldest first. */
  approvalsSince(time: number): Promise<readonly Approval[]>;
}
