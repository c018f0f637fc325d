/** Dialog of the keyboard shortcuts, opened by `?`. */
import { useRef } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { KeyList } from '../features/key-list/key-list.tsx';
import { SCREENS } from './screens.tsx';

export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  // The focus starts on the list: on the close button its tooltip would cover the page until a key is pressed.
  const list = useRef<HTMLDivElement>(null);
  return (
    <Dialog open onClose={onClose} title="Keyboard" size="large" initialFocus={list}>
      <KeyList ref={list} screens={SCREENS} />
    </Dialog>
  );
}
