using System.Globalization;
using System.IO.Compression;

namespace Tarn;

/// <summary>
/// Encodes a <see cref="SampleProfile"/> in pprof's format: a gzipped message of google/pprof's <c>proto/profile.proto</c>, whose field
/// numbers the constants are.
/// </summary>
internal sealed class PprofProfile
{
    private static readonly (string Type, string Unit)[] s_values =
    [
        ("alloc_objects", "count"), ("alloc_space", "bytes"),
        ("inuse_objects", "count"), ("inuse_space", "bytes"),
        ("lost_objects", "count"), ("lost_space", "bytes"),
    ];

    private const string DefaultValue = "inuse_space";
    private const long OnlyMapping = 1;

    private readonly ProtobufMessage _profile = new();

    /// <summary>The texts in the order of their indices. The first one must be empty.</summary>
    private readonly List<string> _texts = [];
    private readonly Dictionary<string, long> _textIndices = [];
    private readonly Dictionary<SampledFrame, long> _locations = [];
    private readonly Dictionary<(string Method, string File), long> _functions = [];

    private PprofProfile() => IndexOf("");

    /// <summary>Writes the profile. The destination stays open.</summary>
    internal static void Write(SampleProfile samples, Stream destination)
    {
        PprofProfile profile = new();
        samples.Read(profile.AddSites);
        profile.AddHeader(samples);
        using GZipStream zipped = new(destination, CompressionLevel.Fastest, leaveOpen: true);
        profile._profile.WriteTo(zipped);
    }

    private void AddSites(IReadOnlyCollection<SampledSite> sites)
    {
        foreach (SampledSite site in sites)
        {
            ProtobufMessage sample = new();
            sample.AddPacked(SampleField.LocationId, [.. site.Key.Stack.Frames.Select(LocationOf)]);
            sample.AddPacked(
                SampleField.Value,
                site.AllocatedObjects, site.AllocatedBytes, site.InUseObjects, site.InUseBytes, site.LostObjects, site.LostBytes);
            AddLabel(sample, "kind", site.Key.Kind);
            AddLabel(sample, "pool", site.Key.Source);
            ProtobufMessage bytes = new();
            bytes.Add(LabelField.Key, IndexOf("bytes"));
            bytes.Add(LabelField.Number, site.Key.Bytes);
            bytes.Add(LabelField.NumberUnit, IndexOf("bytes"));
            sample.Add(SampleField.Label, bytes);
            _profile.Add(ProfileField.Sample, sample);
        }
    }

    private void AddHeader(SampleProfile samples)
    {
        foreach ((string type, string unit) in s_values)
        {
            _profile.Add(ProfileField.SampleType, ValueType(type, unit));
        }

        ProtobufMessage mapping = new();
        mapping.Add(MappingField.Id, OnlyMapping);
        mapping.Add(MappingField.FileName, IndexOf(Environment.ProcessPath ?? ""));
        mapping.Add(MappingField.HasFunctions, 1);
        mapping.Add(MappingField.HasFileNames, 1);
        mapping.Add(MappingField.HasLineNumbers, 1);
        _profile.Add(ProfileField.Mapping, mapping);

        TimeSpan duration = samples.Duration;
        _profile.Add(ProfileField.Time, (DateTime.UtcNow - duration - DateTime.UnixEpoch).Ticks * TimeSpan.NanosecondsPerTick);
        _profile.Add(ProfileField.Duration, duration.Ticks * TimeSpan.NanosecondsPerTick);
        _profile.Add(ProfileField.PeriodType, ValueType("space", "bytes"));
        _profile.Add(ProfileField.Period, samples.Options.Interval);
        _profile.Add(ProfileField.DefaultSampleType, IndexOf(DefaultValue));
        if (samples.Throttle.Largest > samples.Options.Interval)
        {
            long comment = IndexOf(string.Create(
                CultureInfo.InvariantCulture,
                $"Samples took too much time, so their mean interval rose to {samples.Throttle.Largest:F0} bytes at times."));
            _profile.AddPacked(ProfileField.Comment, comment);
        }

        // Last, when every text has its index.
        _texts.ForEach(text => _profile.Add(ProfileField.StringTable, text));
    }

    private ProtobufMessage ValueType(string type, string unit)
    {
        ProtobufMessage message = new();
        message.Add(ValueTypeField.Type, IndexOf(type));
        message.Add(ValueTypeField.Unit, IndexOf(unit));
        return message;
    }

    private void AddLabel(ProtobufMessage sample, string key, string text)
    {
        ProtobufMessage label = new();
        label.Add(LabelField.Key, IndexOf(key));
        label.Add(LabelField.Text, IndexOf(text));
        sample.Add(SampleField.Label, label);
    }

    private long LocationOf(SampledFrame frame)
    {
        if (!_locations.TryGetValue(frame, out long id))
        {
            ProtobufMessage line = new();
            line.Add(LineField.FunctionId, FunctionOf(frame));
            line.Add(LineField.Line, frame.Line);
            ProtobufMessage location = new();
            _locations.Add(frame, id = _locations.Count + 1);
            location.Add(LocationField.Id, id);
            location.Add(LocationField.MappingId, OnlyMapping);
            location.Add(LocationField.Line, line);
            _profile.Add(ProfileField.Location, location);
        }

        return id;
    }

    private long FunctionOf(SampledFrame frame)
    {
        if (!_functions.TryGetValue((frame.Method, frame.File), out long id))
        {
            ProtobufMessage function = new();
            _functions.Add((frame.Method, frame.File), id = _functions.Count + 1);
            function.Add(FunctionField.Id, id);
            function.Add(FunctionField.Name, IndexOf(frame.Method));
            function.Add(FunctionField.SystemName, IndexOf(frame.Method));
            function.Add(FunctionField.FileName, IndexOf(frame.File));
            _profile.Add(ProfileField.Function, function);
        }

        return id;
    }

    private long IndexOf(string text)
    {
        if (!_textIndices.TryGetValue(text, out long index))
        {
            _textIndices.Add(text, index = _texts.Count);
            _texts.Add(text);
        }

        return index;
    }

    private static class ProfileField
    {
        internal const int SampleType = 1;
        internal const int Sample = 2;
        internal const int Mapping = 3;
        internal const int Location = 4;
        internal const int Function = 5;
        internal const int StringTable = 6;
        internal const int Time = 9;
        internal const int Duration = 10;
        internal const int PeriodType = 11;
        internal const int Period = 12;
        internal const int Comment = 13;
        internal const int DefaultSampleType = 14;
    }

    private static class ValueTypeField
    {
        internal const int Type = 1;
        internal const int Unit = 2;
    }

    private static class SampleField
    {
        internal const int LocationId = 1;
        internal const int Value = 2;
        internal const int Label = 3;
    }

    private static class LabelField
    {
        internal const int Key = 1;
        internal const int Text = 2;
        internal const int Number = 3;
        internal const int NumberUnit = 4;
    }

    private static class MappingField
    {
        internal const int Id = 1;
        internal const int FileName = 5;
        internal const int HasFunctions = 7;
        internal const int HasFileNames = 8;
        internal const int HasLineNumbers = 9;
    }

    private static class LocationField
    {
        internal const int Id = 1;
        internal const int MappingId = 2;
        internal const int Line = 4;
    }

    private static class LineField
    {
        internal const int FunctionId = 1;
        internal const int Line = 2;
    }

    private static class FunctionField
    {
        internal const int Id = 1;
        internal const int Name = 2;
        internal const int SystemName = 3;
        internal const int FileName = 4;
    }
}
