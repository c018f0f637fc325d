/** Menu of the signed-in user: theme and sign-out. */
import { LogOut, Moon, Settings, Sun, UserRound } from 'lucide-react';
import { useLocation } from 'wouter';
import { signOut, useUser } from '../api/session.ts';
import { changeSettings, shownTheme, useSettings } from '../api/settings.ts';
import { IconButton } from '../components/button.tsx';
import { Menu } from '../components/menu.tsx';
import { sayError } from '../components/toast.tsx';

export function AccountMenu() {
  const user = useUser();
  const theme = useSettings(shownTheme);
  const [, navigate] = useLocation();
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <Menu
      align="end"
      trigger={<IconButton label="User" icon={<UserRound />} />}
      items={[
        { id: 'who', heading: user?.displayName ?? user?.email ?? user?.walletAddress ?? '' },
        {
          id: 'theme',
          label: `Use the ${other} theme`,
          icon: other === 'light' ? <Sun /> : <Moon />,
          onSelect: () => changeSettings({ theme: other }),
        },
        { id: 'settings', label: 'Settings', icon: <Settings />, onSelect: () => navigate('/settings') },
        { id: 'line', separator: true },
        {
          id: 'out',
          label: 'Sign out',
          icon: <LogOut />,
          onSelect: () => {
            signOut().catch((error: unknown) => sayError('Still signed in', error));
          },
        },
      ]}
    />
  );
}
