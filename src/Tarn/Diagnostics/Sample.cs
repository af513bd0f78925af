using System.Diagnostics;

namespace Tarn.Diagnostics;

/// <summary>One sampled rent while its buffer is out.</summary>
/// <remarks>
/// A pool attaches the sample to the array, and nothing else refers to it. A sample that is finalized belongs to an array that was
/// collected without a return. The sample of a native block needs no finalizer (<see cref="NeedNoFinalizer"/>).
/// </remarks>
internal sealed class Sample
{
    private readonly long _since = Stopwatch.GetTimestamp();
    private int _hasEnded;
    private bool _wasFinalized;

    /// <param name="profile">The profile that counts the sample.</param>
    /// <param name="site">The call site and source of the rent.</param>
    /// <param name="number">A number that no other sample of the process has.</param>
    /// <param name="weight">The rents that the sample stands for.</param>
    internal Sample(SampleProfile profile, SampledSite site, long number, double weight)
    {
        Profile = profile;
        Site = site;
        Number = number;
        Weight = weight;
    }

    /// <summary>Runs when the array is gone.</summary>
    ~Sample()
    {
        if (Volatile.Read(ref _hasEnded) != 0 || Environment.HasShutdownStarted || Finalization.TryPutOff(this, ref _wasFinalized))
        {
            return;
        }

        try
        {
            if (TarnEventSource.IsSampling)
            {
                // Listeners to the end's event must not run on the finalizer thread.
                BufferDiagnostics.RunLater(static sample => sample.End(SampleEnd.Lost), this);
            }
            else
            {
                // The runtime ends the process if it has to start a thread of the pool and there is no memory. A listener that comes now
                // does not hear of it.
                TryCountEnd(SampleEnd.Lost);
            }
        }
        catch (OutOfMemoryException)
        {
            // An exception here ends the process; the sample stays in use.
        }
    }

    internal SampleProfile Profile { get; }

    internal SampledSite Site { get; }

    internal long Number { get; }

    internal double Weight { get; }

    /// <summary>Counts the end of the sample. A second end of the same sample does nothing.</summary>
    internal void End(SampleEnd how)
    {
        if (TryCountEnd(how))
        {
            TarnEventSource.Log?.SampledBufferEnded(this, how, Stopwatch.GetElapsedTime(_since));
        }
    }

    private bool TryCountEnd(SampleEnd how)
    {
        if (Interlocked.Exchange(ref _hasEnded, 1) != 0)
        {
            return false;
        }

        NeedNoFinalizer();
        Profile.CountEnd(this, how);
        return true;
    }

    /// <summary>Marks the sample as one that is never lost with its object.</summary>
    internal void NeedNoFinalizer()
    {
#pragma warning disable CA1816 // nothing is disposed: the finalizer only counts lost arrays
        GC.SuppressFinalize(this);
#pragma warning restore CA1816
    }
}
