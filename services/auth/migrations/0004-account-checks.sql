-- Since when the identity provider does not know an account, or calls it inactive. Until it knows the account again
-- none of its keys and sessions is accepted.
alter table account add column inactive timestamptz;

-- Accounts that have keys or sessions, and when to ask the identity provider about them next. A trigger adds them, so
-- that code of the release before adds them too.
create table account_check (
  account_id text primary key references account (id),
  due timestamptz not null
);

create index account_check_due on account_check (due);

create function check_account() returns trigger language plpgsql as $$
begin
  insert into account_check (account_id, due) values (new.account_id, new.created + interval '15 minutes')
  on conflict (account_id) do update set due = least(account_check.due, excluded.due);
  return null;
end
$$;

create trigger api_key_account_check after insert on api_key for each row execute function check_account();
create trigger session_account_check after insert on session for each row execute function check_account();

insert into account_check (account_id, due)
select account_id, now() from api_key where revoked is null and expires > now()
union
select account_id, now() from session where expires > now();

create index session_account on session (account_id);

comment on table sign_in is 'Sign-ins that were finished, so that none is finished twice. Those that were begun are in cookies.';
