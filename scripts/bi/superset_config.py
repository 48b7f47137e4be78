"""Configuration of a demo Superset, for this machine only."""

import os

SECRET_KEY = os.environ["SUPERSET_SECRET_KEY"]
SQLALCHEMY_DATABASE_URI = f"sqlite:///{os.environ['SUPERSET_HOME']}/superset.db"
# the script that fills it has no form with a CSRF token
WTF_CSRF_ENABLED = False
TALISMAN_ENABLED = False
