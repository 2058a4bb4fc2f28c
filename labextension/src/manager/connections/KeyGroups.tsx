import { useApp } from '../../chat/parts/context';
import type { KeyState } from '../../shared/contract';
import { Group, State } from './ConnectionsPage';

const GROUPS = ['models', 'web', 'channels', 'other'] as const;

/** Keys by group: present or missing, never a value (UI-99, CHN-41). */
export function KeyGroups({ keys }: { keys: readonly KeyState[] }): JSX.Element {
  const { t } = useApp();
  return (
    <Group icon="key" title={t('connections.keys')}>
      {GROUPS.map(group => {
        const rows = keys.filter(key => key.group === group);
        return rows.length === 0 ? null : (
          <div key={group}>
            <h3 className="crew-sec">{t(`connections.group.${group}`)}</h3>
            {rows.map(key => (
              <div className="crew-line" key={key.name}>
                <span className="crew-mono crew-ell">{key.name}</span>
                <span className="crew-sm crew-2">{t(`connections.${key.kind}`)}</span>
                <State good={key.present} text={t(key.present ? 'connections.present' : 'connections.missing')} />
              </div>
            ))}
          </div>
        );
      })}
      <p className="crew-sm crew-2 mend">{t('connections.keys_where')}</p>
    </Group>
  );
}
