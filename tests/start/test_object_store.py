"""The target `s3`: what is checked before Spark starts, and that the profile has no keys."""

import pytest
import yaml

from dbt_sync_logs.checks import (
    ENVIRONMENT_PROVIDER,
    KEY_PROVIDER,
    KEYS,
    EmbeddedSparkError,
    check_keys,
)
from helpers.project import PROJECT

PROFILE = PROJECT / "profiles" / "profiles.yml"


def test_without_keys_the_message_names_the_missing_variables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = {KEY_PROVIDER: ENVIRONMENT_PROVIDER}
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(EmbeddedSparkError, match=r"AWS_SECRET_ACCESS_KEY are not set\. Set both"):
        check_keys(settings)
    monkeypatch.setenv(KEYS[0], "secret-value")
    with pytest.raises(EmbeddedSparkError, match="but AWS_SECRET_ACCESS_KEY is not set") as error:
        check_keys(settings)
    assert "secret-value" not in str(error.value)
    # with other providers, and without an object store, no variable is needed
    check_keys({KEY_PROVIDER: f"{ENVIRONMENT_PROVIDER},another"})
    check_keys({})
    monkeypatch.setenv(KEYS[1], "another-value")
    check_keys(settings)


def test_the_profile_takes_keys_from_the_environment_only() -> None:
    outputs = yaml.safe_load(PROFILE.read_text())["sync_logs"]["outputs"]
    settings = outputs["s3"]["server_side_parameters"]
    assert settings[KEY_PROVIDER] == ENVIRONMENT_PROVIDER
    named = [name for name in settings if "s3a" in name and ("secret" in name or ".key" in name)]
    assert named == []
    # dbt writes nothing that it does not read: no key is part of a setting
    assert not any(key in str(outputs) for key in KEYS)
