using Tarn.Tests.Support;

namespace Tarn.Tests.Diagnostics;

/// <summary>A pool with checks and a name of its own, with its reports.</summary>
internal sealed class CheckedPool<T> : IDisposable
{
    internal CheckedPool(BufferChecks checks, BufferPoolOptions? options = null)
    {
        string name = $"checked {Guid.NewGuid()}";
        Pool = BufferPool<T>.Create(new BufferPoolOptions(options ?? new BufferPoolOptions()) { Name = name, Checks = checks });
        Incidents = new IncidentLog(name);
    }

    internal BufferPool<T> Pool { get; }

    internal IncidentLog Incidents { get; }

    public void Dispose() => Incidents.Dispose();
}
