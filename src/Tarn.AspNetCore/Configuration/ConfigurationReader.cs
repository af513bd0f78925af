using System.Globalization;
using Microsoft.Extensions.Configuration;

namespace Tarn;

/// <summary>Reads the options of a server from a section of the configuration, without reflection.</summary>
/// <remarks>A key or value that it does not know ends the start of the application, with the path of the key.</remarks>
internal static class ConfigurationReader
{
    private static readonly Dictionary<string, Setting> s_settings = new(StringComparer.OrdinalIgnoreCase)
    {
        [nameof(TarnServerOptions.MaxPooledBytes)] = new(
            static (options, value, _) => options.MaxPooledBytes = ReadBytes(value), static options => options.MaxPooledBytes),
        [nameof(TarnServerOptions.IdleTimeout)] = new(
            static (options, value, _) =>
                options.IdleTimeout = IsWord(value, "infinite") ? Timeout.InfiniteTimeSpan : ReadTime(value, ", or infinite"),
            static options => options.IdleTimeout),
        [nameof(TarnServerOptions.CollectWhenIdle)] = new(
            static (options, value, _) => options.CollectWhenIdle = ReadSwitch(value), static options => options.CollectWhenIdle),
        [nameof(TarnServerOptions.PoolServerBlocks)] = new(
            static (options, value, _) => options.PoolServerBlocks = ReadSwitch(value), static options => options.PoolServerBlocks),
        [nameof(TarnServerOptions.PoolArrays)] = new(
            static (options, value, _) => options.PoolArrays = ReadSwitch(value), static options => options.PoolArrays),
        [nameof(TarnServerOptions.RequestBudget)] = new(
            static (options, value, known) => options.RequestBudget = ReadBudget(value, known),
            static options => options.RequestBudget?.Limit),
        [nameof(TarnServerOptions.RequestBudgetTimeout)] = new(
            static (options, value, _) => options.RequestBudgetTimeout = ReadTime(value, ""),
            static options => options.RequestBudgetTimeout),
        [nameof(TarnServerOptions.RetryAfter)] = new(
            static (options, value, _) => options.RetryAfter = ReadTime(value, ""), static options => options.RetryAfter),
        [nameof(TarnServerOptions.Checks)] = new(
            static (options, value, _) => options.Checks = ReadChecks(value), static options => options.Checks),
    };

    /// <summary>The names of the settings, as keys have them.</summary>
    internal static IReadOnlyCollection<string> Settings => s_settings.Keys;

    /// <summary>Takes the settings that the section has. Those that it does not have stay as they are.</summary>
    /// <param name="section">The section.</param>
    /// <param name="options">The options to change.</param>
    /// <param name="known">
    /// A budget that was read before. It is taken again if its limit is still that of the section, because a process lists all its budgets.
    /// </param>
    /// <exception cref="InvalidOperationException">
    /// The section has a key that is no setting, or a value that is none or out of range; the message names the path of the key.
    /// </exception>
    internal static void Read(IConfiguration section, TarnServerOptions options, BufferBudget? known = null)
    {
        if (section is IConfigurationSection { Value.Length: > 0 } single)
        {
            throw Refused(single, $"it must be a section with settings. The settings are {string.Join(", ", Settings)}.");
        }

        Dictionary<string, IConfigurationSection> found = new(StringComparer.OrdinalIgnoreCase);
        foreach (IConfigurationSection value in section.GetChildren())
        {
            if (!s_settings.TryGetValue(value.Key, out Setting? setting))
            {
                throw new InvalidOperationException(
                    $"The configuration has {value.Path}, which is no setting of Tarn. The settings are {string.Join(", ", Settings)}.");
            }

            found[value.Key] = value;
            if (!string.IsNullOrEmpty(value.Value) || value.GetChildren().Any())
            {
                setting.Read(options, value, known);
            }
        }

        foreach ((string name, string message) in options.FindFaults())
        {
            if (found.TryGetValue(name, out IConfigurationSection? value))
            {
                throw new InvalidOperationException($"The configuration's {value.Path} is out of range. {message}");
            }
        }
    }

    /// <summary>The settings in which two options differ.</summary>
    internal static IEnumerable<string> FindDifferences(TarnServerOptions one, TarnServerOptions other) =>
        s_settings.Where(setting => !Equals(setting.Value.Get(one), setting.Value.Get(other))).Select(static setting => setting.Key);

    private static BufferBudget ReadBudget(IConfigurationSection value, BufferBudget? known)
    {
        long bytes = ReadBytes(value);
        if (bytes <= 0)
        {
            throw Refused(value, "it must be more than 0 bytes.");
        }

        return known?.Limit == bytes ? known : new BufferBudget(bytes, "requests");
    }

    /// <summary>Reads a whole number of bytes, KiB, MiB or GiB.</summary>
    private static long ReadBytes(IConfigurationSection value)
    {
        const string rule = "it must be a number of bytes such as 268435456, 256 MiB or 1 GiB.";
        ReadOnlySpan<char> text = value.Value.AsSpan().Trim();
        int digits = text.IndexOfAnyExceptInRange('0', '9') is var end && end < 0 ? text.Length : end;
        int shift = text[digits..].Trim() switch
        {
            "" => 0,
            var unit when unit.Equals("KiB", StringComparison.OrdinalIgnoreCase) => 10,
            var unit when unit.Equals("MiB", StringComparison.OrdinalIgnoreCase) => 20,
            var unit when unit.Equals("GiB", StringComparison.OrdinalIgnoreCase) => 30,
            _ => throw Refused(value, rule),
        };
        return long.TryParse(text[..digits], NumberStyles.None, CultureInfo.InvariantCulture, out long number)
            && number <= long.MaxValue >> shift
            ? number << shift
            : throw Refused(value, rule);
    }

    /// <summary>Reads a time with colons. A number alone would be days, which nobody means.</summary>
    private static TimeSpan ReadTime(IConfigurationSection value, string others) =>
        value.Value.AsSpan().Contains(':') && TimeSpan.TryParse(value.Value, CultureInfo.InvariantCulture, out TimeSpan time)
            ? time
            : throw Refused(value, $"it must be a time such as 00:00:10 for ten seconds{others}.");

    private static bool ReadSwitch(IConfigurationSection value) =>
        bool.TryParse(value.Value, out bool isOn) ? isOn : throw Refused(value, "it must be true or false.");

    /// <summary>Reads names of checks with commas between them. Numbers, which an enumeration's parser takes, are refused.</summary>
    private static BufferChecks ReadChecks(IConfigurationSection value) =>
        !value.Value.AsSpan().ContainsAnyInRange('0', '9') && Enum.TryParse(value.Value, ignoreCase: true, out BufferChecks checks)
            ? checks
            : throw Refused(value, $"it must be names with commas between them, of {string.Join(", ", Enum.GetNames<BufferChecks>())}.");

    private static bool IsWord(IConfigurationSection value, string word) =>
        string.Equals(value.Value?.Trim(), word, StringComparison.OrdinalIgnoreCase);

    private static InvalidOperationException Refused(IConfigurationSection value, string rule) =>
        new($"The configuration's {value.Path} is {(value.Value is { } text ? $"\"{text}\"" : "a section")}: {rule}");

    /// <summary>How a setting is read from the configuration into options, and its value in options.</summary>
    private sealed record Setting(
        Action<TarnServerOptions, IConfigurationSection, BufferBudget?> Read, Func<TarnServerOptions, object?> Get);
}
