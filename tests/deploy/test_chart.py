"""The chart, through Helm's own engine: lint, render, refuse."""

from __future__ import annotations

import dataclasses
import json
from copy import deepcopy

import helm_python as helm
import pytest
import yaml

from jasshaus.platform.config import read_config
from jasshaus.platform.health import LIVE

SERVICES = ("matchmaking", "table", "wallet")
SECRETS_OF = {
    "matchmaking": {"JASSHAUS_POSTGRES_DSN", "JASSHAUS_REDIS_URL"},
    "table": {"JASSHAUS_REDIS_URL"},
    "wallet": {"JASSHAUS_POSTGRES_DSN"},
}
# Set by the chart itself, or not to be set in a cluster at all.
NOT_SETTINGS = {
    "JASSHAUS_DEV_SECRET",
    "JASSHAUS_HEALTH_LISTEN",
    "JASSHAUS_JWKS",
    "JASSHAUS_JWT_AUDIENCE",
    "JASSHAUS_JWT_ISSUER",
    "JASSHAUS_LISTEN",
    "JASSHAUS_MATCHMAKING_ADDRESS",
    "JASSHAUS_METRICS_HOST",
    "JASSHAUS_METRICS_PORT",
    "JASSHAUS_MODE",
    "JASSHAUS_POSTGRES_DSN",
    "JASSHAUS_READY_FILE",
    "JASSHAUS_REDIS_URL",
    "JASSHAUS_SERVICE_TOKEN",
    "JASSHAUS_SERVICE_TOKEN_FILE",
    "JASSHAUS_SHUTDOWN_GRACE",
    "JASSHAUS_SHUTDOWN_PAUSE",
    "JASSHAUS_TABLE_ADDRESS",
    "JASSHAUS_WALLET_ADDRESS",
}


@pytest.fixture(scope="session")
def path(root):
    return root / "helm" / "jasshaus"


@pytest.fixture(scope="session")
def chart(path):
    with helm.Chart.load(path) as loaded:
        yield loaded


@pytest.fixture(scope="session")
def values(path):
    return {
        name: yaml.safe_load((path / "ci" / f"{name}-values.yaml").read_text())
        for name in ("default", "everything")
    }


@pytest.fixture(scope="session")
def render(chart):
    def rendered(values):
        manifests = chart.render(values, name="prod", namespace="cards")
        objects = [
            item
            for name, text in manifests.items()
            if name.endswith(".yaml")
            for item in yaml.safe_load_all(text)
            if item is not None
        ]
        index = {(item["kind"], item["metadata"]["name"]): item for item in objects}
        assert len(index) == len(objects), "two objects of one name"
        return index

    return rendered


@pytest.fixture(scope="session")
def default(render, values):
    return render(values["default"])


@pytest.fixture(scope="session")
def everything(render, values):
    return render(values["everything"])


def pod(deployment):
    return deployment["spec"]["template"]["spec"]


def container(deployment):
    (only,) = pod(deployment)["containers"]
    return only


def environment(objects, fullname, service):
    """What the service's process gets: the ConfigMap, and a placeholder for each secret reference."""
    placeholders = {
        "JASSHAUS_REDIS_URL": "redis://redis.example.org:6379/0",
        "JASSHAUS_POSTGRES_DSN": "postgresql://role@postgres.example.org/jasshaus",
    }
    spec = container(objects["Deployment", f"{fullname}-{service}"])
    (source,) = spec["envFrom"]
    variables = dict(objects["ConfigMap", source["configMapRef"]["name"]]["data"])
    for entry in spec["env"]:
        assert entry["valueFrom"]["secretKeyRef"], f"{entry['name']} is no reference"
        variables[entry["name"]] = placeholders[entry["name"]]
    return variables


@pytest.mark.parametrize("name", ["default", "everything"])
def test_lints_strictly(path, values, name):
    report = helm.lint(path, values[name], strict=True)
    assert report["errors"] == []
    assert [message for message in report["messages"] if message["severity"] > 1] == []


def test_default_render_holds_the_three_services_and_the_migration(default):
    names = [f"prod-jasshaus-{service}" for service in SERVICES]
    assert set(default) == {
        *(("Deployment", name) for name in names),
        *(("Service", name) for name in names),
        *(("ConfigMap", name) for name in names),
        *(("PodDisruptionBudget", name) for name in names),
        ("ServiceAccount", "prod-jasshaus"),
        ("Job", "prod-jasshaus-migrate"),
    }


def test_optional_objects_come_when_asked_for(everything):
    kinds = [kind for kind, _ in everything]
    assert kinds.count("HorizontalPodAutoscaler") == 3
    assert kinds.count("NetworkPolicy") == 3
    assert kinds.count("ServiceMonitor") == 1


@pytest.mark.parametrize("service", SERVICES)
def test_every_object_selects_the_pods_of_its_service(everything, service):
    labels = everything["Deployment", f"jass-{service}"]["spec"]["template"]["metadata"]["labels"].items()
    selectors = [
        everything["Deployment", f"jass-{service}"]["spec"]["selector"]["matchLabels"],
        everything["Service", f"jass-{service}"]["spec"]["selector"],
        everything["PodDisruptionBudget", f"jass-{service}"]["spec"]["selector"]["matchLabels"],
        everything["NetworkPolicy", f"jass-{service}"]["spec"]["podSelector"]["matchLabels"],
    ]
    for selector in selectors:
        assert selector.items() <= labels
        assert selector["app.kubernetes.io/component"] == service
    monitor = everything["ServiceMonitor", "jass"]["spec"]["selector"]["matchLabels"]
    assert monitor.items() <= everything["Service", f"jass-{service}"]["metadata"]["labels"].items()


@pytest.mark.parametrize("service", SERVICES)
def test_probes_ask_over_grpc(default, service):
    spec = container(default["Deployment", f"prod-jasshaus-{service}"])
    for probe in ("startupProbe", "readinessProbe"):
        assert spec[probe]["grpc"] == {"port": 50052}
    # Health follows the stores: to restart a pod mends none of them.
    assert spec["livenessProbe"]["grpc"] == {"port": 50052, "service": LIVE}
    assert {port["name"]: port["containerPort"] for port in spec["ports"]} == {
        "grpc": 50051,
        "health": 50052,
        "metrics": 9464,
    }


@pytest.mark.parametrize("service", SERVICES)
def test_headless_service_lets_callers_balance(default, service):
    spec = default["Service", f"prod-jasshaus-{service}"]["spec"]
    assert spec["clusterIP"] == "None"
    assert {port["name"]: port["port"] for port in spec["ports"]} == {"grpc": 50051, "metrics": 9464}


def test_services_call_each_other_by_the_names_the_chart_creates(default):
    for service in SERVICES:
        for name, value in environment(default, "prod-jasshaus", service).items():
            if name.endswith("_ADDRESS"):
                host = value.removeprefix("dns:///").removesuffix(".cards.svc.cluster.local:50051")
                assert ("Service", host) in default
                assert host.endswith(name.removeprefix("JASSHAUS_").removesuffix("_ADDRESS").lower())


@pytest.mark.parametrize("service", SERVICES)
def test_pods_may_do_nothing_they_need_not(default, service):
    spec = pod(default["Deployment", f"prod-jasshaus-{service}"])
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["securityContext"]["runAsUser"] == 10001
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert spec["automountServiceAccountToken"] is False
    only = container(default["Deployment", f"prod-jasshaus-{service}"])
    assert only["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert only["resources"]["requests"]["cpu"]
    assert only["resources"]["limits"]["memory"]


@pytest.mark.parametrize("service", SERVICES)
def test_a_pod_is_given_longer_than_its_drain_takes(everything, service):
    variables = environment(everything, "jass", service)
    drain = float(variables["JASSHAUS_SHUTDOWN_PAUSE"]) + float(variables["JASSHAUS_SHUTDOWN_GRACE"])
    assert drain == 70
    assert pod(everything["Deployment", f"jass-{service}"])["terminationGracePeriodSeconds"] == drain + 15


@pytest.mark.parametrize("service", SERVICES)
def test_replicas_spread_over_nodes_and_zones(default, service):
    constraints = pod(default["Deployment", f"prod-jasshaus-{service}"])["topologySpreadConstraints"]
    assert [each["topologyKey"] for each in constraints] == [
        "kubernetes.io/hostname",
        "topology.kubernetes.io/zone",
    ]


def test_migration_runs_before_the_release_and_stands_on_nothing_of_it(default):
    job = default["Job", "prod-jasshaus-migrate"]
    assert job["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade"
    spec = job["spec"]["template"]["spec"]
    (only,) = spec["containers"]
    assert only["args"] == ["jasshaus.cli", "migrate"]
    assert "envFrom" not in only
    assert "serviceAccountName" not in spec
    assert only["env"] == [
        {
            "name": "JASSHAUS_POSTGRES_DSN",
            "valueFrom": {"secretKeyRef": {"name": "jasshaus-postgres", "key": "owner-dsn"}},
        }
    ]


def test_migration_can_be_turned_off(render, values):
    assert not [
        kind for kind, _ in render({**values["default"], "migration": {"enabled": False}}) if kind == "Job"
    ]


@pytest.mark.parametrize("service", SERVICES)
def test_autoscaled_deployments_leave_the_number_to_the_autoscaler(default, everything, service):
    assert default["Deployment", f"prod-jasshaus-{service}"]["spec"]["replicas"] == 2
    assert "replicas" not in everything["Deployment", f"jass-{service}"]["spec"]
    target = everything["HorizontalPodAutoscaler", f"jass-{service}"]["spec"]["scaleTargetRef"]
    assert (target["kind"], target["name"]) in everything


@pytest.mark.parametrize("service", SERVICES)
def test_secrets_are_references(default, service):
    spec = container(default["Deployment", f"prod-jasshaus-{service}"])
    assert {entry["name"] for entry in spec["env"]} == SECRETS_OF[service]
    assert "Secret" not in {kind for kind, _ in default}
    for data in (item["data"] for (kind, _), item in default.items() if kind == "ConfigMap"):
        assert not data.keys() & {"JASSHAUS_SERVICE_TOKEN", "JASSHAUS_DEV_SECRET", *SECRETS_OF[service]}


@pytest.mark.parametrize("service", ["matchmaking", "table"])
def test_the_service_token_is_a_mounted_file(everything, service):
    deployment = everything["Deployment", f"jass-{service}"]
    (volume,) = (each for each in pod(deployment)["volumes"] if each["name"] == "service-token")
    assert volume["secret"]["secretName"] == "jasshaus-service-token"
    assert volume["secret"]["items"] == [{"key": "jwt", "path": "token"}]
    (mount,) = (each for each in container(deployment)["volumeMounts"] if each["name"] == "service-token")
    file = environment(everything, "jass", service)["JASSHAUS_SERVICE_TOKEN_FILE"]
    assert file == mount["mountPath"] + "/token"
    assert "subPath" not in mount, "a subPath is never refreshed"


@pytest.mark.parametrize("service", SERVICES)
def test_a_key_set_can_come_from_a_config_map(everything, service):
    deployment = everything["Deployment", f"jass-{service}"]
    (mount,) = (each for each in container(deployment)["volumeMounts"] if each["name"] == "jwks")
    assert environment(everything, "jass", service)["JASSHAUS_JWKS"] == mount["mountPath"] + "/jwks.json"


def test_only_who_calls_a_service_may_connect_to_it(everything):
    (rule, metrics) = everything["NetworkPolicy", "jass-wallet"]["spec"]["ingress"]
    callers = [peer["podSelector"]["matchLabels"]["app.kubernetes.io/component"] for peer in rule["from"][:2]]
    assert callers == ["matchmaking", "table"]
    assert rule["from"][2:] == [
        {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "edge"}}}
    ]
    assert metrics["ports"] == [{"port": "metrics"}]


def test_a_changed_setting_rolls_the_pods(render, values):
    def checksum(objects):
        annotations = objects["Deployment", "prod-jasshaus-table"]["spec"]["template"]["metadata"][
            "annotations"
        ]
        return annotations["checksum/config"]

    changed = deepcopy(values["default"]) | {"table": {"config": {"JASSHAUS_TURN_SECONDS": "20"}}}
    assert checksum(render(changed)) != checksum(render(values["default"]))


# The chart and the code.


@pytest.mark.parametrize(("name", "fullname"), [("default", "prod-jasshaus"), ("everything", "jass")])
@pytest.mark.parametrize("service", SERVICES)
def test_the_service_accepts_the_environment_it_gets(render, values, config_classes, name, fullname, service):
    read_config(config_classes[service], environment(render(values[name]), fullname, service))


@pytest.mark.parametrize("service", SERVICES)
def test_every_variable_set_is_one_the_service_reads(everything, config_classes, service):
    known = {field.metadata["env"] for field in dataclasses.fields(config_classes[service])}
    assert environment(everything, "jass", service).keys() <= known


@pytest.mark.parametrize("service", SERVICES)
def test_every_setting_of_the_code_can_be_set_in_values(path, config_classes, service):
    schema = json.loads((path / "values.schema.json").read_text())
    known = {field.metadata["env"] for field in dataclasses.fields(config_classes[service])}
    assert set(schema["properties"][service]["properties"]["config"]["properties"]) == known - NOT_SETTINGS


def test_shared_settings_are_those_of_all_three(path, config_classes):
    schema = json.loads((path / "values.schema.json").read_text())
    known = [
        {field.metadata["env"] for field in dataclasses.fields(each)} for each in config_classes.values()
    ]
    assert set(schema["properties"]["config"]["properties"]) == set.intersection(*known) - NOT_SETTINGS


# Refusals.


def broken(values, dotted, value):
    changed = deepcopy(values["default"])
    *parents, last = dotted.split(".")
    branch = changed
    for parent in parents:
        branch = branch.setdefault(parent, {})
    branch[last] = value
    return changed


@pytest.mark.parametrize(
    ("dotted", "value"),
    [
        ("secrets.redis.name", ""),
        ("secrets.postgresOwner.name", ""),
        ("secrets.postgresWallet.name", "Not A Name"),
        ("secrets.serviceToken.name", ""),
        ("secrets.redis.url", "redis://:password@redis"),
        ("auth.issuer", ""),
        ("auth.audience", ""),
        ("auth.jwks", ""),
        ("auth.jwks", "http://id.example.org/jwks.json"),
        ("auth.jwksConfigMap.name", "both-given"),
        ("table.replicas", 0),
        ("table.replicas", "two"),
        ("table.config.JASSHAUS_TURN_SECONDS", 20),
        ("table.config.JASSHAUS_TURN_SECOND", "20"),
        ("wallet.config.JASSHAUS_TURN_SECONDS", "20"),
        ("wallet.config.JASSHAUS_POSTGRES_DSN", "postgresql://owner:secret@postgres/jasshaus"),
        ("config.JASSHAUS_DEV_SECRET", "0123456789abcdef0123456789abcdef"),
        ("config.JASSHAUS_MODE", "development"),
        ("matchmaking.autoscaling.maxReplicas", 0),
        ("shutdown.grace", -1),
        ("image.pullPolicy", "Sometimes"),
        ("tables", {}),
    ],
)
def test_bad_values_are_refused_by_name(chart, values, dotted, value):
    with pytest.raises(helm.HelmValuesError) as refusal:
        chart.render(broken(values, dotted, value))
    parts = dotted.split(".")
    assert all(part in str(refusal.value) for part in (parts[0], parts[-1])) or "oneOf" in str(refusal.value)


def test_defaults_alone_name_everything_that_is_missing(chart):
    with pytest.raises(helm.HelmValuesError) as refusal:
        chart.render({})
    for missing in (
        "/auth/issuer",
        "/auth/audience",
        "/auth/jwks",
        "/secrets/redis/name",
        "/secrets/serviceToken/name",
        "/secrets/postgresOwner/name",
        "/secrets/postgresWallet/name",
        "/secrets/postgresMatchmaking/name",
    ):
        assert missing in str(refusal.value)


def test_packages(chart, path, tmp_path):
    archive = helm.package(path, destination=tmp_path)
    with helm.Chart.load(archive) as packaged:
        assert packaged.version == chart.version
        assert not [file["name"] for file in packaged.files if file["name"].startswith("ci/")]
