/** Dialog of the keyboard shortcuts, opened by `?`. */
import { Dialog } from '../components/dialog.tsx';
import { KeyList } from '../features/key-list/key-list.tsx';
import { SCREENS } from './screens.tsx';

export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Keyboard" size="large">
      <KeyList screens={SCREENS} />
    </Dialog>
  );
}
