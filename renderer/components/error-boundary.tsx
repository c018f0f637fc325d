/** An error in a view's rendering stays within the view: the rest of the page goes on. */
import { Component, type ReactNode } from 'react';
import { ErrorState } from './states.tsx';

interface Props {
  readonly children: ReactNode;
  /** A changed value renders the children again: for a screen, its address. */
  readonly resetOn?: unknown;
  /** Called before the children are tried again. */
  readonly onRetry?: () => void;
}

export class ErrorBoundary extends Component<Props, { readonly error: unknown; readonly resetOn: unknown }> {
  override state = { error: null as unknown, resetOn: this.props.resetOn };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  static getDerivedStateFromProps(props: Props, state: { readonly resetOn: unknown }) {
    return props.resetOn === state.resetOn ? null : { error: null, resetOn: props.resetOn };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const retry = () => {
      this.props.onRetry?.();
      this.setState({ error: null });
    };
    return <ErrorState error={error} onRetry={retry} />;
  }
}
