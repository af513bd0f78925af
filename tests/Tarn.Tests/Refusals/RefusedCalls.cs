using System.Diagnostics.Tracing;
using Tarn.Tests.Diagnostics;
using Tarn.Tests.Diagnostics.Sampling;

namespace Tarn.Tests.Refusals;

/// <summary>Makes calls that must throw, and compares all that can be known before and after.</summary>
internal sealed class RefusedCalls : IDisposable
{
    private readonly EventRecorder? _recorder;
    private readonly SamplingSession? _sampling;
    private readonly List<Func<string>> _looks = [];

    internal RefusedCalls(Company company)
    {
        _recorder = company.IsTraced ? new EventRecorder(EventLevel.Verbose) : null;
        _sampling = company.IsSampled ? new SamplingSession(interval: 1) : null;
        Tenant = All.CreateChild(8 << 20, "tenant");
        foreach (BufferBudget budget in (BufferBudget[])[Tenant, All])
        {
            _looks.Add(() => $"{budget.Name}: {budget.InUse} in use, {budget.Waiting} waiting");
        }
    }

    /// <summary>A budget that others use too.</summary>
    internal BufferBudget All { get; } = new(64 << 20, "all");

    /// <summary>The budget of the pool or heap.</summary>
    internal BufferBudget Tenant { get; }

    /// <summary>Compares the counters and the events of a source, and lets it verify its structure.</summary>
    internal void Watch(object source, Func<string> counters)
    {
        int id = source.GetHashCode();
        _looks.Add(counters);
        _looks.Add(() => _recorder is null ? "" : $"{_recorder.Count("BufferRented", id)} rents, "
            + $"{_recorder.Count("BufferReturned", id)} returns");
    }

    /// <summary>Makes a call that throws one of the usual exceptions, and has changed nothing then.</summary>
    internal void Refuse(string name, Action call)
    {
        string before = Look();
        Exception? thrown = Record.Exception(call);
        Assert.True(
            thrown is ArgumentException or InvalidOperationException or OutOfMemoryException or BufferBudgetExceededException,
            $"{name}: {thrown?.ToString() ?? "accepted"}");
        Assert.True(before == Look(), $"{name} threw {thrown!.GetType().Name} and changed something.\n{before}\n{Look()}");
    }

    /// <summary>As <see cref="Refuse"/>, for a call that says no in another way.</summary>
    internal void Decline(string name, Func<bool> call)
    {
        string before = Look();
        Assert.False(call(), name);
        Assert.True(before == Look(), $"{name} was declined and changed something.\n{before}\n{Look()}");
    }

    public void Dispose()
    {
        _recorder?.Stop();
        _recorder?.Dispose();
        _sampling?.Dispose();
    }

    private string Look() => string.Join("; ", _looks.Select(static look => look()).Append(LookAtSamples()));

    private string LookAtSamples()
    {
        if (_sampling is null || BufferSampling.Profile is not { } profile)
        {
            return "";
        }

        long inUse = 0;
        profile.Read(sites => inUse = sites.Sum(static site => site.InUseObjects));
        return $"{inUse} sampled buffers in use";
    }
}
