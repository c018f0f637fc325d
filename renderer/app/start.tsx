/** Start of the page: theme, session, frame. */
import '@fontsource-variable/inter/wght.css';
import '../styles/tokens.css';
import '../styles/base.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { queries } from '../api/client.ts';
import { applySettings } from '../api/settings.ts';
import { App } from './app.tsx';
import { reloadOnNewVersion } from './new-version.ts';
import { takeSetupCode } from './setup-code.ts';

export function start(): void {
  const place = document.getElementById('root');
  if (place === null) throw new Error('The page has no #root');
  takeSetupCode();
  // The gateway's bare address also leads to the dashboard.
  if (location.pathname === '/') history.replaceState(null, '', '/app');
  applySettings();
  reloadOnNewVersion();
  createRoot(place).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queries}>
          <Router base="/app">
            <App />
          </Router>
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
}
