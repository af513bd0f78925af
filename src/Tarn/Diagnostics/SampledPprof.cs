using System.Globalization;

namespace Tarn.Diagnostics;

/// <summary>Writes a <see cref="SampleProfile"/> in pprof's format.</summary>
internal static class SampledPprof
{
    /// <summary>Writes the profile. The destination stays open.</summary>
    internal static void Write(SampleProfile samples, Stream destination)
    {
        PprofProfile profile = new(
            ("alloc_objects", "count"), ("alloc_space", "bytes"), ("inuse_objects", "count"), ("inuse_space", "bytes"),
            ("lost_objects", "count"), ("lost_space", "bytes"));
        samples.Read(sites =>
        {
            foreach (SampledSite site in sites)
            {
                profile.Add(
                    site.Key.Stack.Frames.Select(static frame => (frame.Method, frame.File, frame.Line)),
                    [("kind", site.Key.Kind), ("pool", site.Key.Source)],
                    site.Key.Bytes,
                    site.AllocatedObjects, site.AllocatedBytes, site.InUseObjects, site.InUseBytes, site.LostObjects, site.LostBytes);
            }
        });

        TimeSpan duration = samples.Duration;
        string? comment = samples.Throttle.Largest <= samples.Options.Interval
            ? null
            : string.Create(
                CultureInfo.InvariantCulture,
                $"Samples took too much time, so their mean interval rose to {samples.Throttle.Largest:F0} bytes at times.");
        profile.Write(
            destination, Environment.ProcessPath ?? "", DateTime.UtcNow - duration, duration, samples.Options.Interval, "inuse_space",
            comment);
    }
}
