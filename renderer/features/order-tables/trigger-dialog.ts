/** The form that changes a trigger or a rung, in a file of its own that loads ahead of its first use. */
import { ahead } from '../../components/ahead.tsx';

export const triggerDialog = ahead(
  async () => (await import('../change-trigger/change-trigger-dialog.tsx')).ChangeTriggerDialog,
);
