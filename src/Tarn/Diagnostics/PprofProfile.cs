using System.IO.Compression;

namespace Tarn.Diagnostics;

/// <summary>
/// A profile in pprof's format: a gzipped message of google/pprof's <c>proto/profile.proto</c>, whose field numbers the constants are.
/// </summary>
internal sealed class PprofProfile
{
    private const long OnlyMapping = 1;

    private readonly (string Type, string Unit)[] _values;
    private readonly ProtobufMessage _profile = new();

    /// <summary>The texts in the order of their indices. The first one must be empty.</summary>
    private readonly List<string> _texts = [];
    private readonly Dictionary<string, long> _textIndices = [];
    private readonly Dictionary<(string Method, string File, int Line), long> _locations = [];
    private readonly Dictionary<(string Method, string File), long> _functions = [];

    /// <param name="values">What each sample counts, with the unit.</param>
    internal PprofProfile(params (string Type, string Unit)[] values)
    {
        _values = values;
        IndexOf("");
    }

    /// <summary>Adds a sample.</summary>
    /// <param name="frames">Its stack, the innermost frame first.</param>
    /// <param name="labels">What tells it from others of the stack.</param>
    /// <param name="bytes">The size of its objects.</param>
    /// <param name="values">One number for each of the profile's values.</param>
    internal void Add(
        IEnumerable<(string Method, string File, int Line)> frames,
        (string Key, string Text)[] labels,
        long bytes,
        params ReadOnlySpan<long> values)
    {
        ProtobufMessage sample = new();
        sample.AddPacked(SampleField.LocationId, [.. frames.Select(LocationOf)]);
        sample.AddPacked(SampleField.Value, values);
        foreach ((string key, string text) in labels)
        {
            ProtobufMessage label = new();
            label.Add(LabelField.Key, IndexOf(key));
            label.Add(LabelField.Text, IndexOf(text));
            sample.Add(SampleField.Label, label);
        }

        ProtobufMessage size = new();
        size.Add(LabelField.Key, IndexOf("bytes"));
        size.Add(LabelField.Number, bytes);
        size.Add(LabelField.NumberUnit, IndexOf("bytes"));
        sample.Add(SampleField.Label, size);
        _profile.Add(ProfileField.Sample, sample);
    }

    /// <summary>Writes the profile, after the last sample. The destination stays open.</summary>
    /// <param name="destination">Where to write.</param>
    /// <param name="program">The path of the program.</param>
    /// <param name="start">When the first sample could be taken.</param>
    /// <param name="duration">The time from then on.</param>
    /// <param name="period">The mean number of bytes between two samples.</param>
    /// <param name="defaultValue">The value that viewers show first.</param>
    /// <param name="comment">What a reader should know; null if nothing.</param>
    internal void Write(
        Stream destination, string program, DateTime start, TimeSpan duration, long period, string defaultValue, string? comment)
    {
        foreach ((string type, string unit) in _values)
        {
            _profile.Add(ProfileField.SampleType, ValueType(type, unit));
        }

        ProtobufMessage mapping = new();
        mapping.Add(MappingField.Id, OnlyMapping);
        mapping.Add(MappingField.FileName, IndexOf(program));
        mapping.Add(MappingField.HasFunctions, 1);
        mapping.Add(MappingField.HasFileNames, 1);
        mapping.Add(MappingField.HasLineNumbers, 1);
        _profile.Add(ProfileField.Mapping, mapping);

        _profile.Add(ProfileField.Time, (start - DateTime.UnixEpoch).Ticks * TimeSpan.NanosecondsPerTick);
        _profile.Add(ProfileField.Duration, duration.Ticks * TimeSpan.NanosecondsPerTick);
        _profile.Add(ProfileField.PeriodType, ValueType("space", "bytes"));
        _profile.Add(ProfileField.Period, period);
        _profile.Add(ProfileField.DefaultSampleType, IndexOf(defaultValue));
        if (comment is not null)
        {
            _profile.AddPacked(ProfileField.Comment, IndexOf(comment));
        }

        // Last, when every text has its index.
        _texts.ForEach(text => _profile.Add(ProfileField.StringTable, text));
        using GZipStream zipped = new(destination, CompressionLevel.Fastest, leaveOpen: true);
        _profile.WriteTo(zipped);
    }

    private ProtobufMessage ValueType(string type, string unit)
    {
        ProtobufMessage message = new();
        message.Add(ValueTypeField.Type, IndexOf(type));
        message.Add(ValueTypeField.Unit, IndexOf(unit));
        return message;
    }

    private long LocationOf((string Method, string File, int Line) frame)
    {
        if (!_locations.TryGetValue(frame, out long id))
        {
            ProtobufMessage line = new();
            line.Add(LineField.FunctionId, FunctionOf(frame.Method, frame.File));
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

    private long FunctionOf(string method, string file)
    {
        if (!_functions.TryGetValue((method, file), out long id))
        {
            ProtobufMessage function = new();
            _functions.Add((method, file), id = _functions.Count + 1);
            function.Add(FunctionField.Id, id);
            function.Add(FunctionField.Name, IndexOf(method));
            function.Add(FunctionField.SystemName, IndexOf(method));
            function.Add(FunctionField.FileName, IndexOf(file));
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
