"""Requests to OpenSearch on AWS are signed (SigV4), with the credentials that the SDK of AWS finds."""

from __future__ import annotations

from typing import Any

from askance.core.errors import BadInput, MissingExtra
from askance.engines.opensearch.address import Address


def signer(address: Address) -> Any:
    """What signs a request. MissingExtra without botocore; BadInput where there are no credentials or no region."""
    try:
        import botocore.session
    except ImportError:
        raise MissingExtra("signing requests for AWS", "pip install 'askance[aws]'") from None
    from opensearchpy import Urllib3AWSV4SignerAuth

    session = botocore.session.get_session()
    credentials = session.get_credentials()
    region = address.region or session.get_config_variable("region")
    if credentials is None:
        raise BadInput(
            f"{address.shown}: there are no credentials of AWS",
            remedy="Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile, as for the SDK of AWS.",
        )
    if not region:
        raise BadInput(f"{address.shown}: no region of AWS is known", remedy="Add ?region=NAME, or set AWS_REGION.")
    return Urllib3AWSV4SignerAuth(credentials, region, address.service)
