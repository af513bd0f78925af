namespace Tarn.Sanitizing.Checking.Reporting;

/// <summary>A misuse of a buffer.</summary>
internal sealed class Incident
{
    internal Incident(IncidentKind kind, Type element, int length, long bytes, string pool)
    {
        Kind = kind;
        Element = element.Name;
        Length = length;
        Bytes = bytes;
        Pool = pool;
    }

    internal Incident(IncidentKind kind, Rental rental)
    {
        Kind = kind;
        Element = rental.GetType().GenericTypeArguments is [Type element] ? element.Name : "";
        Length = rental.Length;
        Bytes = rental.Bytes;
        Pool = rental.PoolName;
        RentedAt = rental.RentedAt;
        ReturnedAt = rental.ReturnedAt;
    }

    internal IncidentKind Kind { get; }

    internal string Element { get; }

    /// <summary>The length asked for; of an array that no pool handed out, its length.</summary>
    internal int Length { get; }

    internal long Bytes { get; }

    internal string Pool { get; }

    /// <summary>Where the misuse itself happened, if it is a call: the second return, the return to another pool.</summary>
    internal RecordedStack? At { get; init; }

    internal RecordedStack? RentedAt { get; }

    internal RecordedStack? ReturnedAt { get; }

    internal string Detail { get; init; } = "";

    /// <summary>The incident in a line.</summary>
    internal string Headline
    {
        get
        {
            string place = (At ?? ReturnedAt ?? RentedAt)?.Site ?? "";
            return $"{Kind} of a buffer of {Bytes} bytes of {Pool}{(place.Length == 0 ? "" : $" at {place}")}";
        }
    }
}
