-- Finds the mntners of an account: what their `auth: SSO` lines name, in lower case (subjects of accounts, or names).

create function sso_accounts(text text) returns text[] language sql immutable strict parallel safe as $$
  select array(select lower(line[1]) from regexp_matches(text, '^auth:\s*sso\s+(\S+)', 'gin') as line)
$$;
create index object_sso on object using gin (sso_accounts(text)) where type = 16 and not deleted;
