using System.Diagnostics.Metrics;

namespace Tarn.AspNetCore.Tests.Support;

/// <summary>Meters that nobody listens to, for tests without a container.</summary>
internal sealed class NoMeters : IMeterFactory
{
    public Meter Create(MeterOptions options) => new($"{options.Name} of a test");

    public void Dispose()
    {
    }
}
