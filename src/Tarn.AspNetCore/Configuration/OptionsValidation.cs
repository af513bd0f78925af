using Microsoft.Extensions.Options;

namespace Tarn;

/// <summary>Judges the options when the application starts, after everything that configures them.</summary>
internal sealed class OptionsValidation(Registered registered) : IValidateOptions<TarnServerOptions>
{
    /// <inheritdoc/>
    public ValidateOptionsResult Validate(string? name, TarnServerOptions options)
    {
        List<string> faults = [.. options.FindFaults().Select(static fault => fault.Message), .. options.FindContradictions()];
        AddIfLate(faults, nameof(TarnServerOptions.PoolServerBlocks), registered.Options.PoolServerBlocks, options.PoolServerBlocks);
        AddIfLate(faults, nameof(TarnServerOptions.PoolArrays), registered.Options.PoolArrays, options.PoolArrays);
        return faults.Count == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(faults);
    }

    private static void AddIfLate(List<string> faults, string setting, bool whenRegistered, bool now)
    {
        if (whenRegistered != now)
        {
            faults.Add(
                $"{setting} is {now}, and was {whenRegistered} when AddTarn was called, which decides it: "
                + "pass it to AddTarn, as an option or in the configuration.");
        }
    }
}
