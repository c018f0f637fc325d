/** Keys of the dashboard. */
import { SCREENS } from '../../app/screens.tsx';
import { Panel } from '../../components/page.tsx';
import { KeyList } from '../../features/key-list/key-list.tsx';

export function Shortcuts() {
  return (
    <Panel title="Keyboard">
      <KeyList screens={SCREENS} />
    </Panel>
  );
}
